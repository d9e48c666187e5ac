-- Sends DEPTH requests at once and waits for all of their answers. DEPTH is defined by whoever starts this script.
local batch

function init(args)
  batch = string.rep(wrk.format(), DEPTH)
end

function request()
  return batch
end
