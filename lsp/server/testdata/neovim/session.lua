-- One session of an editor, for nvim --clean --headless -c 'luafile session.lua' FILE.
-- In: LEVERET (the binary), ROOT (the workspace), FIXED (a file with the fixed text).
-- Out: one line of JSON on standard output.
local out = {}

local function finish()
  io.stdout:write(vim.json.encode(out) .. "\n")
  io.stdout:flush()
  for _, client in ipairs(vim.lsp.get_active_clients()) do client.stop() end
  out.stopped = vim.wait(5000, function() return #vim.lsp.get_active_clients() == 0 end, 20)
  vim.cmd("qall!")
end

local function await(what, ok)
  assert(vim.wait(30000, ok, 20), "never: " .. what)
end

local function request(buf, method, params)
  local answers, err = vim.lsp.buf_request_sync(buf, method, params, 10000)
  assert(answers, method .. ": " .. tostring(err))
  for _, answer in pairs(answers) do
    assert(not answer.error, method .. ": " .. vim.inspect(answer.error))
    return answer.result
  end
end

local function ours(buf)
  return vim.tbl_filter(function(d) return d.source == "leveret" end, vim.diagnostic.get(buf))
end

local ok, err = pcall(function()
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].filetype = "solidity"
  local root = os.getenv("ROOT")
  local id = vim.lsp.start_client({
    name = "leveret",
    cmd = { os.getenv("LEVERET"), "lsp" },
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = "workspace" } },
    settings = { leveret = { trusted = true } },
    handlers = {
      ["workspace/configuration"] = function(_, params)
        return vim.tbl_map(function(item) return item.section == "leveret" and { trusted = true } or vim.NIL end, params.items)
      end,
      ["window/showMessage"] = function(_, params) out.message = params.message end,
    },
    on_exit = function(code) out.exit = code end,
  })
  assert(id, "the server did not start")
  await("initialized", function() local c = vim.lsp.get_client_by_id(id); return c and c.initialized end)
  vim.lsp.buf_attach_client(buf, id)

  await("a diagnostic", function() return #ours(buf) > 0 end)
  local d = ours(buf)[1]
  local range = { start = { line = d.lnum, character = d.col }, ["end"] = { line = d.end_lnum, character = d.end_col } }
  out.diagnostic = { line = d.lnum + 1, column = d.col + 1, severity = d.severity, message = d.message, lsp = d.user_data.lsp }
  out.blamed = vim.api.nvim_buf_get_lines(buf, d.lnum, d.lnum + 1, false)[1]

  local document = { uri = vim.uri_from_bufnr(buf) }
  local actions = request(buf, "textDocument/codeAction", { textDocument = document, range = range, context = { diagnostics = {} } })
  out.actions = vim.tbl_map(function(a) return a.title end, actions)
  for _, action in ipairs(actions) do
    if vim.startswith(action.title, "Replay") then
      local command = type(action.command) == "table" and action.command or action
      out.trace = request(buf, "workspace/executeCommand", { command = command.command, arguments = command.arguments })
    end
  end
  local hover = request(buf, "textDocument/hover", { textDocument = document, position = range.start })
  out.hover = hover and hover.contents.value
  out.lenses = #request(buf, "textDocument/codeLens", { textDocument = document })

  local fixed = vim.fn.readfile(os.getenv("FIXED"))
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, fixed)
  vim.cmd("write")
  await("the diagnostic to go", function() return #ours(buf) == 0 end)
  out.fixed = true
end)
if not ok then out.error = tostring(err) end
finish()
