-- Tests Helix in Neovim's terminal, whose buffer is the screen.
-- Input: HELIX (the program), FILE, FIXED (a file with the fixed text).
-- Output: OUT, a JSON file.
local out = { error = "" }
vim.o.columns, vim.o.lines = 160, 50
local job

local function screen() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function text() return table.concat(screen(), "\n") end
local function type(keys) vim.fn.chansend(job, keys) end

local function await(what, ok)
  assert(vim.wait(90000, ok, 20), "never: " .. what .. "\n" .. text())
end
local function awaitText(part)
  await(part, function() return text():find(part, 1, true) end)
end

-- The line number of the finding with a sign in the gutter.
local function marked()
  for _, row in ipairs(screen()) do
    local line = row:match("^%s*●%s*(%d+)%s.*assert%(step")
    if line then return tonumber(line) end
  end
end

local ok, err = pcall(function()
  vim.cmd("enew")
  job = vim.fn.termopen({ os.getenv("HELIX"), os.getenv("FILE") .. ":18:9" }, { env = { TERM = "xterm-256color", COLORTERM = "truecolor" } })
  await("a sign in the gutter", marked)
  out.line = marked()
  awaitText("begin(31337)") -- the message at the cursor
  out.text = text()

  type(" a")
  awaitText("Fuzz this function longer")
  out.actions = screen()
  type("\r") -- the first action: replay
  awaitText("Leveret: see ")
  type(":open " .. text():match("Leveret: see (%S+)") .. "\r")
  awaitText("Step by step")
  out.trace = text()

  type(":buffer-close!\r")
  await("the contract again", marked)

  -- The debugger stops at the first statement of the test.
  type(":debug-start test AddsTest.testAdds " .. os.getenv("TESTS") .. "\r")
  awaitText("stopped because of entry")
  awaitText("function testAdds")
  out.debugged = text()
  type(":buffer-close!\r")
  await("the contract once more", marked)
  vim.fn.writefile(vim.fn.readfile(os.getenv("FIXED")), os.getenv("FILE"))
  type(":reload\r")
  awaitText("assert(step <= 1)")
  type(":write!\r")
  await("the finding is gone", function() return not text():find("●", 1, true) and not text():find("can fail", 1, true) end)
  out.fixed = true
  type(":quit-all!\r")
  vim.fn.jobwait({ job }, 10000)
end)
if not ok then out.error = tostring(err) end
vim.fn.writefile({ vim.json.encode(out) }, os.getenv("OUT"))
vim.cmd("qall!")
