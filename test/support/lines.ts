import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Given in place of an answer that never comes. */
interface NoAnswer {
  readonly error: string
}

/** A program that answers each line with a line. */
export class Lines {
  readonly #child: ChildProcess
  readonly #waiting: ((line: string) => void)[] = []
  #said = ''

  constructor(file: string, args: readonly string[], options: { cwd?: string; env: NodeJS.ProcessEnv }) {
    this.#child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    createInterface({ input: this.#child.stdout! }).on('line', line => this.#waiting.shift()?.(line))
    this.#child.stderr!.on('data', (text: Buffer) => {
      this.#said = `${this.#said}${text}`.slice(-2000)
    })
    // When the program has ended, a write to it fails. The event `close` answers instead.
    this.#child.stdin!.on('error', () => undefined)
    this.#child.on('close', () => {
      for (const give of this.#waiting.splice(0)) give(this.#end())
    })
  }

  ask<T>(question: unknown): Promise<T> {
    return new Promise(resolve => {
      const give = (line: string) => resolve(JSON.parse(line) as T)
      if (!this.isRunning) return give(this.#end())
      this.#waiting.push(give)
      this.#child.stdin!.write(`${JSON.stringify(question)}\n`)
    })
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async close(): Promise<void> {
    if (!this.isRunning) return
    const ended = new Promise(resolve => this.#child.once('close', resolve))
    this.#child.stdin!.end()
    await ended
  }

  /** Kills the program, whatever it is doing. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #end = (): string => JSON.stringify({ error: `the program ended: ${this.#said}` } satisfies NoAnswer)
}
