/** How a tool's run ended: with success, with a result that has isError, or by an error of this service. */
export type RunOutcome = 'ok' | 'tool_error' | 'fault'

/**
 * How a call ended, for its audit line, the metrics and its span:
 * - `partial`: of several things some were not done;
 * - `cut`: the process ended before the answer, and only the forge knows whether it was done.
 *
 * And where nothing was sent:
 * - `refused`: the tool is not allowed here;
 * - `capacity`: there is no room for its forge;
 * - `rate_limit`: its caller has made too many changes recently;
 * - `rpc_error`: there is no such tool;
 * - `input_required`: its client is asked, and calls again;
 * - `declined`: a person was asked and did not agree.
 */
export type CallOutcome =
  | RunOutcome
  | 'partial'
  | 'cancelled'
  | 'cut'
  | 'timeout'
  | 'refused'
  | 'capacity'
  | 'rate_limit'
  | 'rpc_error'
  | 'input_required'
  | 'declined'
