import { describe, expect, it } from "vitest";
import { programName, withoutLine } from "../../src/errors/shell-line.ts";

describe("the name of a program", () => {
  it.each([
    ["curl -H 'X-Token: s3cr3t' https://example.com", "curl"],
    ["/usr/local/bin/print-order.sh --token s3cr3t", "print-order.sh"],
    ["  ./order.py", "order.py"],
    ["TOKEN=s3cr3t curl x", "curl"],
    ['A=1 B=\'two words\' C="three \\" more" node x', "node"],
    ["TOKEN=$(echo s3cr3t) curl x", "curl"],
    ["TOKEN=$(echo \"a)b\" 's3)cr3t') curl x", "curl"],
    ["TOKEN=`echo s3cr3t` curl x", "curl"],
    ["export TOKEN=s3cr3t; curl x", "export"],
    ["TOKEN=s3cr3t; curl x", "curl"],
    ["TOKEN=s3cr3t&&curl x", "curl"],
    ["(cd /x && ./run)", "cd"],
    ["2>/dev/null >log curl", "curl"],
    ["'/opt/My Shop/send order' x", "send order"],
    ["/opt/My\\ Shop/send\\ order x", "send order"],
    ['"C:\\Program Files\\Shop\\order.cmd" /t s3cr3t', "order.cmd"],
    ["C:\\shop\\order.cmd x", "order.cmd"],
    ["$HOME/bin/order s3cr3t", "order"],
    ["$PRINT_ORDER s3cr3t", "$PRINT_ORDER"],
    ["$" + "{PRINT:-s3cr3t} x", "…"],
    ["TOKEN=s3cr3t", "…"],
    ["'unclosed s3cr3t", "unclosed s3cr3t"],
    ["https://example.com/?t=s3cr3t", "…"],
    ["", "…"],
  ])("of %j is %j", (line, name) => expect(programName(line)).toBe(name));
});

describe("what a program wrote", () => {
  const line =
    "TOKEN=t0ken-of-mine ./print-orders -u 'shop:passw0rd' --key=keykeykey https://hooks.example/T0/secretpath /etc/shop/print.conf | cat";
  it.each([
    ["print-orders: no paper", "print-orders: no paper"],
    ["./print-orders: not found", "./print-orders: not found"],
    ["cannot read /etc/shop/print.conf", "cannot read /etc/shop/print.conf"],
    ["+ TOKEN=t0ken-of-mine", "+ TOKEN=…"],
    ["login as shop:passw0rd refused", "login as … refused"],
    ["https://hooks.example/T0/secretpath: 404", "…: 404"],
    ["bad keykeykey", "bad …"],
  ])("%j is shown as %j", (text, shown) => expect(withoutLine(line, text)).toBe(shown));

  it("is shown without its line where the shell repeats that", () => {
    const shown = withoutLine(line, `sh: -c: line 1: \`${line}'`);
    expect(shown).not.toMatch(/t0ken|passw0rd|keykey|secretpath/);
  });
});
