" Tests ALE. Input: LEVERET (the program), EDITORS, FIXED (a file with the fixed
" text). Output: OUT, a JSON file.
set nomore noswapfile shortmess+=aoOtTIcF
filetype plugin on
let g:ale_linters_explicit = 1
let g:ale_linters = {'solidity': ['leveret']}
let g:ale_lint_delay = 0
let g:ale_echo_cursor = 0
let g:ale_lsp_show_message_severity = 'information'
let g:leveret_program = $LEVERET
let g:leveret_settings = {'budget': '1s', 'seed': 1, 'idle': v:false}
packadd ale
source $EDITORS/vim/ale.vim
let s:out = {}

func! Await(what, ok) abort
  let l:left = 90000
  while !a:ok()
    if l:left <= 0 | throw 'never: ' . a:what | endif
    sleep 20m
    let l:left -= 20
  endwhile
endfunc

func! Findings() abort
  return filter(copy(ale#engine#GetLoclist(bufnr('%'))), {_, d -> d.text =~# 'this assertion can fail'})
endfunc

func! Traces() abort
  return glob($XDG_CACHE_HOME . '/**/*.trace', 0, 1)
endfunc

" Runs the action with this title for the line of the cursor. ALE prompts for
" the number of the action, so this replaces the prompt.
func! Act(title) abort
  let s:title = a:title
  silent! call ale#util#Input()
  func! ale#util#Input(message, value, ...) abort
    let s:out.actions = split(a:message, "\n")
    let l:wanted = filter(copy(s:out.actions), {_, row -> row =~# s:title})
    return matchstr(get(l:wanted, 0, ''), '\d\+')
  endfunc
  ALECodeAction
endfunc

func! Main(...) abort
  try
    set filetype=solidity
    ALELint
    call Await('a finding', {-> !empty(Findings())})
    let l:d = Findings()[0]
    let s:out.line = l:d.lnum
    let s:out.text = get(l:d, 'detail', l:d.text)
    call cursor(l:d.lnum, l:d.col)
    call Act('Replay')
    call Await('the file of the trace', {-> !empty(Traces())})
    let s:out.trace = join(readfile(Traces()[0]), "\n")
    call setline(1, readfile($FIXED))
    write
    ALELint
    call Await('the finding to go', {-> empty(Findings())})
    let s:out.fixed = v:true
  catch
    let s:out.error = v:exception . ' @ ' . v:throwpoint
  endtry
  call writefile([json_encode(s:out)], $OUT)
  qall!
endfunc
autocmd VimEnter * call timer_start(10, 'Main')
