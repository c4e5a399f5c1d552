-- Tests the plugin. Input: LEVERET (the program), EDITORS, FIXED (a file with
-- the fixed text). Output: OUT, a JSON file.
local out = { error = "" }

local function await(what, ok)
  assert(vim.wait(90000, ok, 20), "never: " .. what)
end

-- Functions of newer Neovims that the plugin looks for, written with those of
-- 0.7, so that the plugin takes the code path of the newer version.
local newer = {}

newer["0.8"] = function()
  vim.lsp.start = function(config, options)
    local id = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(options.bufnr, id)
    return id
  end
end

local ok, err = pcall(function()
  local version = os.getenv("NVIM_LIKE") or ""
  if version ~= "" and vim.fn.has("nvim-" .. version) == 0 then newer[version]() end
  vim.opt.runtimepath:append(os.getenv("EDITORS") .. "/neovim")
  local plugin = os.getenv("NVIM_DAP") or ""
  local launched = {}
  out.launched = launched
  if plugin ~= "" then
    vim.opt.runtimepath:append(plugin)
  else
    local recorder = { adapters = {}, run = function(launch) table.insert(launched, launch) end }
    package.preload.dap = function() return recorder end
  end
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].filetype = "solidity"
  local leveret = require("leveret")
  leveret.setup({ cmd = { os.getenv("LEVERET"), "lsp" }, settings = { budget = "1s", seed = 1, idle = false }, trusted = true })
  await("a finding", function() return #leveret.findings() > 0 end)
  local d = vim.diagnostic.get(buf)[1]
  out.line, out.text, out.calls = d.lnum + 1, d.message, {}
  for _, r in ipairs(d.user_data.lsp.relatedInformation) do table.insert(out.calls, r.location.range.start.line + 1) end
  await("a status", function() return leveret.statusline():find("finding") end)
  out.status = leveret.statusline()

  -- The line has a sign and virtual text.
  local virtual, sign = false, #vim.fn.sign_getplaced(buf, { group = "*", lnum = out.line })[1].signs > 0
  for _, space in pairs(vim.diagnostic.get_namespaces()) do
    local inner = space.user_data
    for _, id in ipairs({ inner.virt_text_ns, inner.sign_ns }) do
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, id, { d.lnum, 0 }, { d.lnum, -1 }, { details = true })) do
        virtual = virtual or mark[4].virt_text ~= nil
        sign = sign or mark[4].sign_text ~= nil
      end
    end
  end
  assert(virtual and sign, "virtual text: " .. tostring(virtual) .. ", sign: " .. tostring(sign))

  vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })
  local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {} }
  out.actions = {}
  for _, answer in pairs(vim.lsp.buf_request_sync(buf, "textDocument/codeAction", params, 10000)) do
    for _, action in ipairs(answer.result or {}) do table.insert(out.actions, action.title) end
  end
  for _, answer in pairs(vim.lsp.buf_request_sync(buf, "textDocument/codeLens", { textDocument = params.textDocument }, 10000)) do
    out.lenses = #(answer.result or {})
  end

  vim.cmd("LeveretReplay")
  await("the trace in a split", function() return vim.api.nvim_buf_get_name(0):match("%.trace$") end)
  out.trace = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  assert(#vim.api.nvim_list_wins() == 2 and not vim.bo.modifiable, "the trace is read-only in a second window")
  if plugin == "" then
    assert(vim.fn.search("step: 0 → 1") > 0, "the trace has the change of step")
    vim.cmd("LeveretDebug")
    await("the launch of the debugger at a line of the trace", function() return #launched == 1 end)
  end
  vim.cmd("close")

  local dap = require("dap")
  vim.cmd("LeveretDebug")
  if plugin == "" then
    await("the launch of the debugger", function() return #launched == 2 end)
    out.adapter = dap.adapters.leveret
  else
    local function at(line)
      await("a stop at line " .. line, function()
        local s = dap.session()
        return s and s.stopped_thread_id and s.current_frame and s.current_frame.line == line
      end)
    end
    at(out.line)
    dap.step_back() -- to the beginning of the statement
    vim.wait(500)
    at(out.line)
    dap.step_back() -- to the transaction before
    at(9)
    dap.terminate()
    await("the end of the session", function() return dap.session() == nil end)
  end
  vim.cmd("LeveretWitness")
  await("the witness in the register", function() return vim.fn.getreg('"'):find("31337") end)
  vim.cmd("LeveretDoctor")
  await("the doctor's report", function() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):find("solc") end)
  vim.cmd("close")
  vim.cmd("LeveretTest")
  local test = vim.fn.fnamemodify(os.getenv("FILE"), ":h:h") .. "/test/Wallet.leveret.t.sol"
  await("the regression test", function()
    local there = vim.fn.bufnr(test)
    return there ~= -1 and table.concat(vim.api.nvim_buf_get_lines(there, 0, -1, false), "\n"):find("31337")
  end)
  vim.cmd("edit " .. os.getenv("TESTS"))
  vim.bo.filetype = "solidity"
  local tests = vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_cursor(0, { 4, 10 })
  for _, command in ipairs({ "LeveretRunTest", "LeveretTraceTest" }) do
    await("the test has run", function()
      local answers = vim.lsp.buf_request_sync(tests, "textDocument/codeAction", vim.tbl_extend("force",
        vim.lsp.util.make_range_params(0, "utf-16"), { context = { diagnostics = {} } }), 10000)
      return vim.inspect(answers):find("Trace of testAdds", 1, true)
    end)
    vim.cmd(command)
  end
  await("the trace of the test", function() return vim.api.nvim_buf_get_name(0):match("%.trace$") end)
  out.test = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.cmd("close")
  if plugin == "" then
    vim.cmd("LeveretDebugTest")
    await("the launch of the debugger for the test", function() return #launched == 3 end)
  end
  vim.api.nvim_set_current_buf(buf)
  vim.cmd("bwipeout " .. tests)
  vim.cmd("LeveretFuzz")
  await("a campaign", function() return leveret.status.busy end)
  vim.cmd("LeveretStop")
  await("its end", function() return not leveret.status.busy end)
  local before = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1].id
  vim.cmd("LeveretRestart")
  await("another server", function()
    local now = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
    return now and now.id ~= before
  end)
  await("its finding", function() return leveret.statusline():find("1 finding") and #leveret.findings() == 1 end)
  vim.cmd("LeveretSilence")
  await("the comment that silences it", function() return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), "\n"):find("leveret%-") end)
  vim.cmd("undo")

  vim.cmd("checkhealth leveret")
  out.health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.cmd("bwipeout")
  vim.api.nvim_set_current_buf(buf)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.fn.readfile(os.getenv("FIXED")))
  vim.cmd("write")
  await("the finding is gone", function() return leveret.status.text == "no findings" and #leveret.findings() == 0 end)
  out.fixed = true
end)
if not ok then out.error = tostring(err) end
vim.fn.writefile({ vim.json.encode(out) }, os.getenv("OUT"))
for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do if vim.fn.has("nvim-0.11") == 1 then client:stop() else client.stop() end end
vim.wait(5000, function() return #(vim.lsp.get_clients or vim.lsp.get_active_clients)() == 0 end, 20)
vim.cmd("qall!")
