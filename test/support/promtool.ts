import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/* The program of Prometheus that tests rules and expressions. */

const promtool = (...args: string[]) =>
  execFileSync('promtool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** The reason to skip tests with promtool; false if it is installed. */
export const withoutPromtool = (() => {
  try {
    promtool('--version')
    return false
  } catch {
    return 'promtool is not installed (apt-get install prometheus)'
  }
})()

/**
 * Runs one test as `promtool test rules` does.
 * @param test its series, and the expected alerts or values of expressions
 * @param rules files of rules
 * @returns promtool's output if the expectations are not met, otherwise an empty text
 */
export function promtest(test: object, ...rules: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const file = join(folder, 'test.yml')
    // YAML includes JSON.
    writeFileSync(file, JSON.stringify({ rule_files: rules, tests: [test] }))
    promtool('test', 'rules', file)
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return `${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
