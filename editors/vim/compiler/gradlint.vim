" Vim and Neovim: `:compiler gradlint`, then `:make` for the current folder or `:make %` for a file.
if exists("current_compiler")
  finish
endif
let current_compiler = "gradlint"

if exists(":CompilerSet") != 2
  command -nargs=* CompilerSet setlocal <args>
endif

CompilerSet makeprg=gradlint\ check\ --output-format\ concise
CompilerSet errorformat=%f:cell\ %*\\d:%l:%c:\ %m,%f:%l:%c:\ %m,%-G%.%#
