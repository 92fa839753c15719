-- Requests of wrk, and checks of every response. Arguments after "--":
--   STATUS LENGTH SEED REQUESTS [ANSWERS]
-- LENGTH is that of every response body, or 0 for any. REQUESTS and ANSWERS are files of blocks: a length in decimal
-- digits, a line feed, and the bytes. Requests are sent in turn. The byte 0 in a request is replaced by a unique id
-- made from SEED, ten bytes 1 by a unique number of ten digits. With ANSWERS a body must be one of them.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local function blocks_of(name)
  local file = assert(io.open(name, "rb"))
  local found = {}
  for length in file:lines() do
    table.insert(found, file:read(tonumber(length)))
  end
  file:close()
  return found
end

local function random_id()
  local part = function() return math.random(0, 65535) end
  return string.format(
    "%04x%04x-%04x-4%03x-%04x-%04x%04x%04x", -- of version 4
    part(), part(), part(), math.random(0, 0x0fff), math.random(0x8000, 0xbfff), part(), part(), part()
  )
end

local requests, answers, at, number
local status_wanted, length_wanted

function init(arguments)
  status_wanted, length_wanted = tonumber(arguments[1]), tonumber(arguments[2])
  math.randomseed(tonumber(arguments[3]))
  requests = blocks_of(arguments[4])
  if arguments[5] then
    answers = {}
    for _, body in ipairs(blocks_of(arguments[5])) do answers[body] = true end
  end
  at, number = 0, 1000000000 + tonumber(arguments[3]) * 1000000
  wrong, example = 0, ""
end

function request()
  at = at % #requests + 1
  local found = requests[at]
  if found:find("[%z\1]") then
    number = number + 1
    found = found:gsub("%z", random_id):gsub("\1+", number)
  end
  return found
end

function response(status, headers, body)
  local is_right = status == status_wanted
    and (length_wanted == 0 or #body == length_wanted)
    and (answers == nil or answers[body])
  if not is_right then
    wrong = wrong + 1
    if wrong == 1 then example = status .. " " .. body:sub(1, 300) end
  end
end

function done(summary, latency, _)
  local wrong, example = 0, ""
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("wrong")
    if example == "" then example = thread:get("example") end
  end
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    "\nfaregate %d %d %d %d %d %d %s\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed, wrong,
    (example:gsub("[^%g ]", "?"))
  ))
end
