-- :checkhealth leveret
local M = {}

function M.check()
  local health = vim.health or {}
  local start = health.start or health.report_start or require("health").report_start
  local ok = health.ok or health.report_ok or require("health").report_ok
  local warn = health.warn or health.report_warn or require("health").report_warn
  local bad = health.error or health.report_error or require("health").report_error
  local leveret = require("leveret")

  start("leveret")
  local program = leveret.options.cmd[1]
  if vim.fn.executable(program) == 1 then
    local version = vim.trim(vim.fn.system({ program, "version" }))
    if vim.v.shell_error == 0 then ok(program .. ": " .. version) else bad(program .. " does not run: " .. version) end
  else
    bad("`" .. program .. "` was not found", { "Put it into PATH or set its path: require('leveret').setup({ cmd = { '/path/to/leveret', 'lsp' } })" })
  end
  if vim.filetype then ok("Neovim knows the filetype solidity") else warn("the filetype solidity needs Neovim 0.7 or newer") end
  local list = vim.tbl_filter(function(c) return c.name == "leveret" end, (vim.lsp.get_clients or vim.lsp.get_active_clients)())
  if #list > 0 then
    ok("the server runs for " .. tostring(list[1].config.root_dir))
  else
    warn("the server is not running yet; it starts with the first Solidity file")
  end
end

return M
