-- Leveret for Neovim: starts the server and shows what it sends. All state is
-- in the server.
local M = {}

local defaults = {
  cmd = { "leveret", "lsp" },
  settings = {}, -- the server's settings, without the prefix "leveret."
  trusted = false, -- whether workspaces may choose programs to run
  lenses = true, -- show lenses as virtual text, where Neovim can
  virtual_text = true, -- show findings behind the code unless configured otherwise: Neovim 0.11 does not by default
}

M.options = vim.deepcopy(defaults)
M.status = { text = "", busy = false }

local root_files = { "foundry.toml", "leveret.toml", "remappings.txt", "hardhat.config.js", "hardhat.config.ts", "package.json", ".git" }

-- The folder that a file belongs to: the nearest one with a project's file.
local function root_of(path)
  local dir = vim.fn.fnamemodify(path, ":p:h")
  local at = dir
  while true do
    for _, name in ipairs(root_files) do
      if vim.loop.fs_stat(at .. "/" .. name) then return at end
    end
    local parent = vim.fn.fnamemodify(at, ":h")
    if parent == at then return dir end
    at = parent
  end
end

function M.server_settings()
  return vim.tbl_extend("force", {}, M.options.settings, { trusted = M.options.trusted })
end

local function message(text, level)
  vim.notify("Leveret: " .. text, level or vim.log.levels.INFO)
end

local function clients()
  local list = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  return vim.tbl_filter(function(c) return c.name == "leveret" end, list)
end

-- nvim-dap, if it is installed and may be used: the debugger trusts the project.
local function debugger()
  local ok, dap = pcall(require, "dap")
  return M.options.trusted and ok and dap or nil
end

-- The commands whose result starts the debugger.
local debugs = { "leveret.debug", "leveret.debugTest", "leveret.debugLine" }

-- Tells nvim-dap how to start the debug adapter.
local function register_debugger()
  local dap = debugger()
  if not dap then return end
  local args = { "dap", "--fast" }
  if M.options.settings.ffi then table.insert(args, "--ffi") end
  dap.adapters.leveret = { type = "executable", command = M.options.cmd[1], args = args }
  for _, command in ipairs(debugs) do -- of lenses and actions
    vim.lsp.commands[command] = function(c) M.execute(c.command, c.arguments) end
  end
end

-- What is done with the results of commands.
local results = {}
for _, command in ipairs(debugs) do
  results[command] = function(launch)
    local dap = debugger()
    if not dap then return message("nvim-dap is not installed, or the workspace is not trusted", vim.log.levels.WARN) end
    dap.run(launch)
  end
end

local handlers = {
  ["leveret/status"] = function(_, status)
    M.status = status
    vim.cmd("redrawstatus")
  end,
  ["workspace/configuration"] = function(_, params)
    local answers = {}
    for i, item in ipairs(params.items) do
      answers[i] = item.section == "leveret" and M.server_settings() or vim.NIL
    end
    return answers
  end,
  -- The trace and other documents open beside the code.
  ["window/showDocument"] = function(_, params)
    if params.external then return { success = false } end
    M.show(vim.uri_to_fname(params.uri))
    return { success = true }
  end,
}

-- Shows a file in a split, or in the window that has it.
function M.show(path)
  local there = vim.fn.bufwinid(path)
  if there ~= -1 then
    vim.api.nvim_set_current_win(there)
    vim.cmd("edit!")
  else
    vim.cmd("belowright split " .. vim.fn.fnameescape(path))
  end
  if path:match("%.trace$") then
    vim.bo.readonly, vim.bo.modifiable, vim.bo.bufhidden = true, false, "wipe"
    vim.wo.foldmethod, vim.wo.foldlevel, vim.wo.wrap = "indent", 99, false
    vim.keymap.set("n", "<CR>", "gF", { buffer = true, desc = "show the source" })
    vim.keymap.set("n", "q", "<cmd>close<cr>", { buffer = true })
    vim.keymap.set("n", "d", "<cmd>LeveretDebug<cr>", { buffer = true, desc = "debug, stopped at this line" })
  end
end

-- Clears the status of an ended server and warns if it did not end normally.
local function ended(code, signal)
  if #clients() > 0 then return end -- another one started
  M.status = { text = "", busy = false }
  vim.cmd("redrawstatus")
  if code ~= 0 or signal ~= 0 and signal ~= 15 then
    message("the server ended; :LeveretRestart starts it again", vim.log.levels.WARN)
  end
end

-- Enables what newer versions do not show by default.
local function begun(client)
  local shown = vim.diagnostic.config() or {}
  if M.options.virtual_text and not shown.virtual_text and not shown.virtual_lines then
    vim.diagnostic.config({ virtual_text = true }, vim.lsp.diagnostic.get_namespace(client.id))
  end
  if M.options.lenses and vim.lsp.codelens and vim.lsp.codelens.enable then -- 0.12
    vim.lsp.codelens.enable(true, { client_id = client.id })
  end
end

local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.window = vim.tbl_deep_extend("force", all.window or {}, { showDocument = { support = true } })
  return all
end

function M.config(root)
  local config = {
    name = "leveret",
    cmd = M.options.cmd,
    filetypes = { "solidity" },
    init_options = vim.tbl_extend("force", M.server_settings(), { notifications = true, debugger = debugger() ~= nil }),
    settings = { leveret = M.server_settings() },
    capabilities = capabilities(),
    on_init = begun,
    on_exit = vim.schedule_wrap(ended),
    handlers = handlers,
  }
  if root then
    config.root_dir = root
    config.workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ":t") } }
  end
  return config
end

-- Neovim before 0.8: one server for each root, attached to its buffers.
local started = {}

local function attach_old(buf, root)
  local id = started[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(M.config(root))
    if not id then return message("the server could not be started", vim.log.levels.ERROR) end
    started[root] = id
  end
  vim.lsp.buf_attach_client(buf, id)
end

function M.attach(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if path == "" or vim.bo[buf].buftype ~= "" then return end
  if vim.fn.executable(M.options.cmd[1]) == 0 then
    return message("`" .. M.options.cmd[1] .. "` was not found; run :checkhealth leveret", vim.log.levels.WARN)
  end
  local root = root_of(path)
  if vim.lsp.start then
    vim.lsp.start(M.config(root), { bufnr = buf })
  else
    attach_old(buf, root)
  end
end

-- The server of the current buffer: each root has its own.
local function here()
  for _, c in ipairs(clients()) do
    if vim.lsp.buf_is_attached(0, c.id) then return c end
  end
  return clients()[1]
end

local function request(client, method, params, answered)
  if vim.fn.has("nvim-0.11") == 1 then
    client:request(method, params, answered)
  else
    client.request(method, params, answered)
  end
end

-- Runs one of the server's commands.
function M.execute(command, arguments, done)
  local client = here()
  if not client then return message("the server is not running", vim.log.levels.WARN) end
  local params = { command = command, arguments = arguments or {} }
  done = done or results[command]
  local function answered(err, result)
    if err then return message(err.message, vim.log.levels.ERROR) end
    if done then done(result) end
  end
  request(client, "workspace/executeCommand", params, answered)
end

-- The findings on the cursor's line or, if there are none, in the buffer.
function M.findings()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local all, here = {}, {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local lsp = d.user_data and d.user_data.lsp or {}
    if d.source == "leveret" and lsp.data and lsp.data.finding then
      local finding = { id = lsp.data.finding, line = d.lnum + 1, message = d.message, oracle = lsp.code or d.code }
      table.insert(all, finding)
      if d.lnum <= line and line <= (d.end_lnum or d.lnum) then table.insert(here, finding) end
    end
  end
  return #here > 0 and here or all
end

local function on_finding(command, done)
  return function()
    local found = M.findings()
    if #found == 0 then return message("there are no findings here") end
    local function go(f) if f then M.execute(command, { f.id }, done) end end
    if #found == 1 then return go(found[1]) end
    vim.ui.select(found, {
      prompt = "Which finding?",
      format_item = function(f) return f.line .. ": " .. f.oracle .. ": " .. vim.split(f.message, "\n")[1] end,
    }, go)
  end
end

-- In a trace: debugs its finding, stopped at the cursor's line.
local function debug_line()
  M.execute("leveret.debugLine", { vim.uri_from_bufnr(0), vim.api.nvim_win_get_cursor(0)[1] - 1 })
end

local function this_file() return { vim.uri_from_bufnr(0) } end

-- Runs the action with a title for the test at the cursor.
local function on_test(title)
  return function()
    local client = here()
    if not client then return message("the server is not running", vim.log.levels.WARN) end
    local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
    params.context = { diagnostics = {}, only = { "source.test" } }
    local function answered(err, actions)
      if err then return message(err.message, vim.log.levels.ERROR) end
      for _, action in ipairs(actions or {}) do
        if vim.startswith(action.title, title) then
          return M.execute(action.command.command, action.command.arguments)
        end
      end
      message("no test here could be run, traced or debugged")
    end
    request(client, "textDocument/codeAction", params, answered)
  end
end

M.commands = {
  LeveretFuzz = function() M.execute("leveret.fuzz", this_file()) end,
  LeveretStop = function() M.execute("leveret.stop") end,
  LeveretReplay = on_finding("leveret.replay"),
  LeveretRunTest = on_test("Run "),
  LeveretTraceTest = on_test("Trace "),
  LeveretDebug = function()
    if vim.api.nvim_buf_get_name(0):match("%.trace$") then debug_line() else on_finding("leveret.debug")() end
  end,
  LeveretDebugTest = on_test("Debug "),
  LeveretTest = on_finding("leveret.exportTest"),
  LeveretSilence = on_finding("leveret.silence"),
  LeveretExplain = on_finding("leveret.explain"),
  LeveretWitness = on_finding("leveret.copyWitness", function(result)
    vim.fn.setreg('"', type(result) == "string" and result or vim.json.encode(result))
    message("the witness is in the unnamed register")
  end),
  LeveretDoctor = function()
    M.execute("leveret.doctor", this_file(), function(text)
      vim.cmd("belowright new")
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, "\n"))
      vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable = "nofile", "wipe", false
    end)
  end,
  LeveretClearCorpus = function() M.execute("leveret.clearCorpus") end,
  LeveretRestartCompiler = function() M.execute("leveret.restartCompiler") end,
  LeveretRestart = function()
    for _, c in ipairs(clients()) do
      if vim.fn.has("nvim-0.11") == 1 then c:stop() else c.stop() end
    end
    started = {}
    local function again()
      if #clients() > 0 then return vim.defer_fn(again, 20) end
      M.status = { text = "", busy = false }
      M.start()
    end
    again()
  end,
}

-- Starts the server for every Solidity buffer that is open.
function M.start()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].filetype == "solidity" then M.attach(buf) end
  end
end

-- Text for a status line.
function M.statusline()
  return M.status.text ~= "" and "Leveret: " .. M.status.text or ""
end

function M.setup(options)
  M.options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), options or {})
  for name, run in pairs(M.commands) do
    vim.api.nvim_create_user_command(name, run, { desc = "Leveret" })
  end
  register_debugger()
  local group = vim.api.nvim_create_augroup("leveret", { clear = true })
  if vim.lsp.config and vim.lsp.enable then -- 0.11
    local config = M.config()
    config.root_dir = function(buf, found) found(root_of(vim.api.nvim_buf_get_name(buf))) end
    vim.lsp.config("leveret", config)
    vim.lsp.enable("leveret")
  else
    vim.api.nvim_create_autocmd("FileType", { group = group, pattern = "solidity", callback = function(e) M.attach(e.buf) end })
  end
  M.start() -- 0.11 skips buffers whose filetype was set before
  if M.options.lenses and vim.lsp.codelens and not vim.lsp.codelens.enable then
    vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "CursorHold" }, {
      group = group, pattern = "*.sol",
      callback = function() if #clients() > 0 then pcall(vim.lsp.codelens.refresh) end end,
    })
  end
end

return M
