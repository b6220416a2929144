/** How a tool's run ended: with success, with a result that has isError, or with an error of this service. */
export type RunOutcome = 'ok' | 'tool_error' | 'fault'

/**
 * How a call ended, for its audit line, the metrics and its span:
 *
 * - `partial`: some of several things were not done;
 * - `cut`: the process ended before the answer, and only the forge knows whether the call was carried out.
 *
 * Outcomes if no request was sent:
 *
 * - `refused`: the tool is not allowed here;
 * - `capacity`: there is no room for the call's forge;
 * - `rate_limit`: the caller has made too many changes recently;
 * - `rpc_error`: there is no such tool;
 * - `input_required`: the client is asked, and calls again;
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
