-- Prints what wrk measured as one line: requests, microseconds, 99th percentile, errors.
-- CONNECTIONS and DEPTH are defined by whoever starts this script.
--
-- wrk 4 adds latencies it never measured, to correct for coordinated omission: for each one of n also n - e, n - 2e ... down
-- to e, where e is the interval to expect of a connection. With pipelining its e is too small by DEPTH, and the percentiles
-- mean nothing (often 0). Undone here: measured[v] = corrected[v] - corrected[v + e] for v > e, so what was measured above
-- v is all that is corrected in (v, v + e].
local BUDGET = 5e8 -- steps; latency(i) looks at every microsecond below its answer

local function measured_p99(summary, latency)
  local rounds = math.floor(summary.requests / CONNECTIONS)
  local e = rounds > 0 and math.floor(summary.duration / rounds) or math.huge
  local allowed = summary.requests / DEPTH * 0.01
  local values, counts, oldest, above, steps = {}, {}, 1, 0, 0
  for i = #latency, 1, -1 do -- from the highest latency down
    local v, count = latency(i)
    while v >= e and oldest <= #values and values[oldest] > v + e do
      above = above - counts[oldest]
      oldest = oldest + 1
    end
    steps = steps + v - latency.min
    if above + count > allowed or steps > BUDGET then
      return v -- out of budget: p99 is at most this
    end
    values[#values + 1], counts[#counts + 1] = v, count
    above = above + count
  end
  return 0
end

function done(summary, latency, requests)
  local e = summary.errors
  print(string.format("weft-wrk requests=%d micros=%d p99=%d connect=%d read=%d write=%d status=%d timeout=%d",
    summary.requests, summary.duration, measured_p99(summary, latency),
    e.connect, e.read, e.write, e.status, e.timeout))
end
