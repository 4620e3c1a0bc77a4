// Each asks `bpos __complete` for every Tab and takes its lines apart by itself: nothing of an answer is ever expanded
// or run by the shell.

const bash = String.raw`# bpos completion for bash
_bpos() {
  local kind='' value note
  COMPREPLY=()
  while IFS=$'\t' read -r value note; do
    if [[ -z $kind ]]; then kind=$value; else COMPREPLY+=("$value"); fi
  done < <(bpos __complete bash -- "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  # The bash of macOS has no compopt.
  case $kind in
    files)
      compopt -o default 2>/dev/null || while IFS= read -r value; do
        COMPREPLY+=("$value")
      done < <(compgen -f -- "${"$"}{COMP_WORDS[COMP_CWORD]}") ;;
    folders)
      compopt -o dirnames 2>/dev/null || while IFS= read -r value; do
        COMPREPLY+=("$value")
      done < <(compgen -d -- "${"$"}{COMP_WORDS[COMP_CWORD]}") ;;
  esac
}
complete -o nosort -F _bpos bpos 2>/dev/null || complete -F _bpos bpos
`;

const zsh = String.raw`#compdef bpos
# bpos completion for zsh
_bpos() {
  local kind='' line value note
  local -a values shown
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; continue; fi
    value=${"$"}{line%%$'\t'*}
    note=${"$"}{line#*$'\t'}
    values+=("$value")
    if [[ -n $note ]]; then shown+=("$value  -- $note"); else shown+=("$value"); fi
  done < <(bpos __complete zsh -- "${"$"}{(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)
  case $kind in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    *) (( $#values )) && compadd -l -V bpos -d shown -a values ;;
  esac
}
if [[ $funcstack[1] == _bpos ]]; then _bpos "$@"; else compdef _bpos bpos; fi
`;

const fish = String.raw`# bpos completion for fish
function __bpos_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (bpos __complete fish -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    set -l path (string replace -r -- '^--[^=]+=' '' "$current")
    switch "$lines[1]"
        case files
            string replace -r -- '^' "$flag" (__fish_complete_path "$path")
        case folders
            string replace -r -- '^' "$flag" (__fish_complete_directories "$path")
        case '*'
            printf '%s\n' $lines[2..-1]
    end
end
complete -c bpos -f -k -a '(__bpos_complete)'
`;

const powershell = `# bpos completion for PowerShell
Register-ArgumentCompleter -Native -CommandName bpos -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -le $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { '=' + $_.Value }
            else { '=' + $_.Extent.Text }
        })
    if ($wordToComplete -eq '') { $words += '=' }
    $lines = @(bpos __complete powershell -- @words 2>$null)
    if ($lines.Count -lt 2 -or $lines[0] -ne 'words') { return }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $note = $_ -split [char]9, 2
        if (-not $note) { $note = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $note)
    }
}
`;

export const scripts = { bash, zsh, fish, powershell } as const;
