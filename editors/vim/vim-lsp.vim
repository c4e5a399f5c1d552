" Leveret for vim-lsp. Put it into ~/.vim/plugin/leveret.vim.
augroup leveret
  autocmd!
  autocmd User lsp_setup call lsp#register_server({
  \   'name': 'leveret',
  \   'cmd': {info -> [get(g:, 'leveret_program', 'leveret'), 'lsp']},
  \   'allowlist': ['solidity'],
  \   'workspace_config': {'leveret': get(g:, 'leveret_settings', {})},
  \})
augroup END
command! LeveretReplay LspCodeAction quickfix
