import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

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
    this.#child.on('close', () => {
      for (const give of this.#waiting.splice(0))
        give(JSON.stringify({ error: `the program ended: ${this.#said}` }))
    })
  }

  ask<T>(question: unknown): Promise<T> {
    return new Promise(resolve => {
      this.#waiting.push(line => resolve(JSON.parse(line) as T))
      this.#child.stdin!.write(`${JSON.stringify(question)}\n`)
    })
  }

  async close(): Promise<void> {
    const ended = new Promise(resolve => this.#child.once('close', resolve))
    this.#child.stdin!.end()
    await ended
  }
}
