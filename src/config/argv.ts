import { nearest } from '../base/nearest.ts'
import { byFlag, flagElsewhere, flagMeant, flagOf } from './flag-meant.ts'
import { factsOf, sections, type Variable, variables } from './schema.ts'
import { isHarmless, isWord } from './shown.ts'

const commandNames = [
  'serve',
  'doctor',
  'tools',
  'presets',
  'prompts',
  'config',
  'make-secret',
  'help',
  'version'
] as const

export type Command = (typeof commandNames)[number]

interface CommandLine {
  command: Command
  /** Variables set by flags, still as text; they win over the environment. */
  flags: Partial<Record<Variable, string>>
  /** One sentence for each word that could not be understood. */
  problems: string[]
}

const commands = new Set<string>(commandNames)

/**
 * Reads the command line: an optional command, then `--variable-name=value` or `--variable-name value` for any variable
 * of the schema, with its name in lower case and with dashes. A boolean flag alone means true.
 * @param args the words after the program name
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const line: CommandLine = { command: 'serve', flags: {}, problems: [] }
  const words = [...args]
  // The command may follow the flags.
  const isDoctor = args.includes('doctor')
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (/^(?:--help|-h)(?:=|$)/.test(word)) line.command = 'help'
    else if (word === '-v') line.command = 'version'
    else if (word.startsWith('--')) readFlag(word, words, line, isDoctor)
    else if (/^-./.test(word)) refuseShort(word, words, line)
    else if (commands.has(word)) line.command = commandAfter(line.command, word as Command)
    else line.problems.push(noCommand(word, isDoctor, line.flags))
  }
  return line
}

/** `help doctor` asks about doctor, and must not run it. */
const commandAfter = (before: Command, word: Command): Command => (before === 'help' ? before : word)

function noCommand(word: string, isDoctor: boolean, flags: CommandLine['flags']): string {
  if (/^https?:/i.test(word))
    return 'An address is no command: the forge is given as --forge-api-url=https://….'
  // The shell expands npx ./forge-tool-server-*.tgz to two files if an older package was left there.
  if (word.endsWith('.tgz')) return 'Two packages match the pattern: name one of them.'
  if (isDoctor && !isHarmless(word)) return `A token is no command: ${tokenIsSet}.`
  if (/^[–—]/.test(word) || byFlag.has(`--${word.split('=', 1)[0]}`))
    return 'A flag begins with two plain dashes, as --port=3001.'
  const [, variable] = /^([A-Z_]+)=/.exec(word) ?? []
  if (variables.some(name => name === variable))
    return `A variable stands before the command; behind it, it is a flag: ${flagOf(variable!)}=….`
  const there = `the commands are ${[...commands].join(', ')}`
  const meant = otherCommands.get(word) ?? flagElsewhere(`--${word}`) ?? nearest(word, commands)
  if (meant === undefined && flags.FORGE_TOOLSETS !== undefined && /^\w+$/.test(word))
    return `Toolsets are one list, with commas: --forge-toolsets=issues,pipelines; else ${there}.`
  return unknown('command', word, isWord, meant, there)
}

function refuseShort(word: string, rest: string[], line: CommandLine): void {
  const said = isWord(word) ? ` ${word}` : ''
  line.problems.push(`Unknown flag${said}: flags are spelled out, as --port=3001; --help lists them.`)
  skipValue(rest)
}

/** Takes away the word after an unknown flag if it is the flag's value, not a command. @returns that word */
const skipValue = (rest: string[]): string | undefined =>
  rest[0] !== undefined && !rest[0].startsWith('-') && !commands.has(rest[0]) ? rest.shift() : undefined

/**
 * Reports an unknown word. The word is only repeated if it is short or similar to a known one: any other may be a
 * secret.
 */
function unknown(
  what: string,
  word: string,
  canBeSaid: (word: string) => boolean,
  meant: string | undefined,
  hint: string
): string {
  const said = meant !== undefined || canBeSaid(word) ? ` ${word}` : ''
  return `Unknown ${what}${said}${meant === undefined ? '' : `: ${meant} may be meant`}; ${hint}.`
}

/**
 * The variable with a token for doctor, for modes in which callers bring tokens. It is not a flag, because other users
 * of a machine can see flags.
 */
export const DOCTOR_TOKEN = 'FORGE_DOCTOR_TOKEN'

/** Flags by which people try to give that token. */
const tokenFlag = /^--(?:(?:.+-)?token|pat|api-key)$/

const tokenIsSet = `a token to look at is set as the variable ${DOCTOR_TOKEN}, for this command alone, and never on a command line, which others see`

/** Commands of other servers, with the command that does the same here. */
const otherCommands = new Map([
  ['start', 'serve'],
  ['run', 'serve']
])

/** The Node.js flag that people put after the script, where it becomes an argument of the script. */
const envFile = /^--env-file(?:-if-exists)?$/

/**
 * The sentence for an unknown flag.
 * @param name as it is written
 * @param flag in lower case and with dashes
 */
function noFlag(name: string, flag: string, value: string, isDoctor: boolean): string {
  if (envFile.test(flag))
    return `${flag} is a flag of Node.js and stands before the script: node ${flag}=.env dist/src/cli.js …; npx has no place for it: unpack the package, or set each variable in the shell.`
  const isToken = flag === flagOf(DOCTOR_TOKEN) || (isDoctor && tokenFlag.test(flag) && isHarmless(flag))
  if (isToken) return `Unknown flag ${flag}: ${tokenIsSet}.`
  const { meant, says } = flagMeant(flag, value)
  if (meant === undefined && says !== undefined) return `Unknown flag ${name}: ${says}`
  const sentence = unknown('flag', name, isHarmless, meant, '--help lists the flags')
  return says === undefined ? sentence : `${sentence} ${says}`
}

function readFlag(word: string, rest: string[], line: CommandLine, isDoctor: boolean): void {
  const equals = word.indexOf('=')
  const name = equals < 0 ? word : word.slice(0, equals)
  const flag = name.toLowerCase().replaceAll('_', '-')
  // The unit may be left out: --oauth-stateless-session-ttl.
  const variable = byFlag.get(flag) ?? byFlag.get(`${flag}-seconds`)
  if (variable === undefined) {
    const value = equals < 0 ? skipValue(rest) : word.slice(equals + 1)
    line.problems.push(noFlag(name, flag, value ?? 'true', isDoctor))
    return
  }
  const value = equals < 0 ? valueAfter(variable, rest) : word.slice(equals + 1)
  if (value === undefined) line.problems.push(`${name} needs a value.`)
  else if (value.trim() === '')
    line.problems.push(`${name}${equals < 0 ? '' : '='} has no value: give one, or leave the flag out.`)
  else line.flags[variable] = value
}

/** Takes the value of a flag from the words after it; true for a boolean alone, undefined if there is none. */
function valueAfter(variable: Variable, rest: string[]): string | undefined {
  const [next] = rest
  if (factsOf(variable).type === 'boolean' && !/^(?:true|false|\s*)$/.test(next ?? '-')) return 'true'
  return next === undefined || next.startsWith('--') ? undefined : rest.shift()
}

/** The text of `--help`. */
export function helpText(version: string): string {
  const rowOf = (variable: Variable): string => {
    const facts = factsOf(variable)
    const value = facts.enum ? facts.enum.join('|') : facts.type
    return `  ${flagOf(variable)}=<${value}>\n      ${facts.description} ${facts.default === undefined ? '' : `Default: ${String(facts.default) || 'none'}.`}`
  }
  return [
    `forge-tool-server ${version}: an MCP server over GitLab's REST v4 and GraphQL APIs`,
    '',
    'Usage: forge-tool-server [serve|doctor|tools|presets|prompts|config|make-secret] [--variable-name=value ...]',
    '  serve   start the server (default)',
    `  doctor  look at the configuration, the way to the forge, a token (${DOCTOR_TOKEN}) and the clock, and say what to do`,
    '  tools   print the tool catalog as Markdown',
    '  presets print what FORGE_TOOLSETS may name, with counts and bytes, as Markdown',
    '  prompts print the prompts and the resources as Markdown',
    '  config  print the variables as Markdown',
    '  make-secret  make the Secret with the sealing key, in a pod of Kubernetes; the chart runs it',
    '',
    'Each flag is also an environment variable (--forge-api-url is FORGE_API_URL); the flag wins.',
    '',
    ...sections.flatMap(({ title, variables }) => [`${title}:`, ...variables.map(rowOf), ''])
  ].join('\n')
}
