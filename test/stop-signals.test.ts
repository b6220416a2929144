import { EventEmitter } from 'node:events'
import t from 'tap'
import { onStopSignals, SAME_SIGNAL_MS, type StopSignal } from '../src/stop-signals.ts'

/** Signals at times, in milliseconds. @returns what each led to */
function heard(...signals: [at: number, signal: StopSignal][]): string[] {
  const source = new EventEmitter()
  const led: string[] = []
  let now = 0
  onStopSignals(source, {
    stop: signal => void led.push(`stop ${signal}`),
    insist: signal => void led.push(`insist ${signal}`),
    now: () => now
  })
  for (const [at, signal] of signals) {
    now = at
    source.emit(signal)
  }
  return led
}

t.test('a signal that npm, timeout or a supervisor delivers twice is one wish to end', async t => {
  t.same(heard([0, 'SIGTERM'], [2, 'SIGTERM'], [SAME_SIGNAL_MS, 'SIGINT']), ['stop SIGTERM'])
})

t.test('one that comes later says that somebody does not want to wait', async t => {
  t.same(heard([5, 'SIGTERM'], [6 + SAME_SIGNAL_MS, 'SIGINT']), ['stop SIGTERM', 'insist SIGINT'])
})
