import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programOf } from '../programs/index.ts'
import type { Measure } from './index.ts'

/** What a program says that measures itself: a number of bytes. */
export const memory: Measure = async (_bench, _scenario, program) => {
  const { file, args } = programOf(program, '')
  return {
    async once() {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file, ...args])
      return { bytes: Number(stdout) }
    },
    close: async () => {}
  }
}
