class Bpos < Formula
  desc "Orders, catalogs and campaigns of a point of sale, from the command-line"
  homepage "{{repository}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{darwin-arm64 address}}"
      sha256 "{{darwin-arm64 sum}}"
    end
    on_intel do
      url "{{darwin-x64 address}}"
      sha256 "{{darwin-x64 sum}}"
    end
  end

  on_linux do
    on_arm do
      url "{{linux-arm64 address}}"
      sha256 "{{linux-arm64 sum}}"
    end
    on_intel do
      url "{{linux-x64 address}}"
      sha256 "{{linux-x64 sum}}"
    end
  end

  def install
    bin.install "bpos"
    man1.install "bpos.1"
    bash_completion.install "completions/bpos.bash" => "bpos"
    zsh_completion.install "completions/_bpos"
    fish_completion.install "completions/bpos.fish"
    pkgshare.install Dir["bpos-watch.*"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/bpos --version").strip
    assert_match "order_id", shell_output("#{bin}/bpos --mock orders list --json")
  end
end
