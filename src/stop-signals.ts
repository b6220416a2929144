/**
 * How long after the first signal another one is the same, in milliseconds. npm hands on what the terminal has already
 * sent to both, `timeout` signals its child and then the whole group, and so do supervisors: within milliseconds.
 */
export const SAME_SIGNAL_MS = 1_000

/** What asks a service to end: a supervisor, or a person at a terminal. */
export type StopSignal = 'SIGTERM' | 'SIGINT'

interface StopSignals {
  /** Called once, with the first. */
  stop(signal: StopSignal): void
  /** Called for each that comes later than {@link SAME_SIGNAL_MS}: somebody does not want to wait. */
  insist(signal: StopSignal): void
  /** Clock in milliseconds. */
  now(): number
}

/**
 * Takes the signals that end a process, each wish once: a signal delivered twice would cut off the calls that the first
 * lets finish.
 * @param source the process
 */
export function onStopSignals(
  source: { on(event: StopSignal, heard: () => void): unknown },
  { stop, insist, now }: StopSignals
): void {
  let first: number | undefined
  const hear = (signal: StopSignal) => {
    if (first !== undefined) {
      if (now() - first > SAME_SIGNAL_MS) insist(signal)
      return
    }
    first = now()
    stop(signal)
  }
  source.on('SIGTERM', () => hear('SIGTERM'))
  source.on('SIGINT', () => hear('SIGINT'))
}
