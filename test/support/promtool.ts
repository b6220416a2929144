import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/* The program that Prometheus has for testing rules and expressions. */

const promtool = (...args: string[]) =>
  execFileSync('promtool', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Why tests that need it are skipped; false where it is installed. */
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
 * @param test with its series, and what is expected of alerts or expressions @param rules files of rules
 * @returns what it says if that is not met, otherwise an empty text
 */
export function promtest(test: object, ...rules: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const file = join(folder, 'test.yml')
    // JSON is YAML.
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
