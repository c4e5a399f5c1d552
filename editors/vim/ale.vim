" Leveret as a linter of ALE. Put it into ~/.vim/after/plugin/leveret.vim, or
" source it after ALE was loaded.
call ale#linter#Define('solidity', {
\   'name': 'leveret',
\   'lsp': 'stdio',
\   'executable': get(g:, 'leveret_program', 'leveret'),
\   'command': '%e lsp',
\   'language': 'solidity',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\   'initialization_options': get(g:, 'leveret_settings', {}),
\})
