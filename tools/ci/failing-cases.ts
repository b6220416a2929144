import { isRecord } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { withRest } from '../../src/results/shortened.ts'

/*
 * A test report is one JSON text that may be many megabytes long, nearly all of it cases that passed. It is parsed as
 * it arrives: of the structure { test_suites: [ { …, test_cases: [ {…} ] } ] } only one case is held at a time.
 */

/** Nesting depths, counted in brackets. */
const SUITE = 3
const CASES = 4
const CASE = 5

/** Most characters of one case, or of a suite's own fields; longer ones are skipped. */
const MAX_HELD = 1024 * 1024
/** Most values in either. A case has a dozen fields, and its output may be a list; very many take long to parse. */
const MAX_VALUES = 5_000
/** Most characters of a message, and of other texts. */
const MAX_MESSAGE = 2000
const MAX_TEXT = 500

type Fields = Record<string, unknown>

export interface CasesWanted {
  /** The only suite wanted. */
  readonly suite: string | undefined
  readonly most: number
}

export const noReport = (): CallProblem =>
  new CallProblem('The forge answered with something that is no test report.')

/**
 * Reads the failing cases of a report, in its order. @throws CallProblem if it is not a report, and what the body fails
 * with
 */
export async function failingCases(body: AsyncIterable<Buffer>, wanted: CasesWanted): Promise<Fields[]> {
  const reader = new ReportReader(wanted)
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    reader.push(decoder.decode(chunk, { stream: true }))
    if (reader.done) break
  }
  return reader.cases
}

class ReportReader {
  readonly cases: Fields[] = []
  readonly #wanted: CasesWanted
  #depth = 0
  #inString = false
  #escaped = false
  /** The fields of the current suite, without the content of its cases. */
  #suite = new HeldText()
  /** The current case. */
  #case = new HeldText()
  /** Failing cases of the current suite, whose name may follow them. */
  #failing: Fields[] = []
  #found = false

  constructor(wanted: CasesWanted) {
    this.#wanted = wanted
  }

  /** Whether the rest of the report is not needed. */
  get done(): boolean {
    return this.#found || this.cases.length >= this.#wanted.most
  }

  push(text: string): void {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#inString) this.#passString(code)
      else if (code === QUOTE) this.#inString = true
      else if (code === COMMA) this.#count()
      else if (opens(code) || closes(code)) {
        this.#hold(text.slice(from, at))
        from = at + 1
        if (opens(code)) this.#open(text[at]!)
        else this.#close(text[at]!)
      }
    }
    this.#hold(text.slice(from))
  }

  #passString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === BACKSLASH) this.#escaped = true
    else if (code === QUOTE) this.#inString = false
  }

  #open(bracket: string): void {
    this.#count()
    this.#depth++
    if (this.#depth === SUITE) this.#suite = new HeldText()
    if (this.#depth === CASE) this.#case = new HeldText()
    this.#holdBracket(bracket)
  }

  #close(bracket: string): void {
    this.#holdBracket(bracket)
    if (this.#depth === CASE) this.#endCase()
    if (this.#depth === SUITE) this.#endSuite()
    this.#depth--
  }

  /** Keeps the brackets of the cases in the suite, so that its text remains JSON. */
  #holdBracket(bracket: string): void {
    if (this.#depth === SUITE || this.#depth === CASES) this.#suite.add(bracket)
    else this.#hold(bracket)
  }

  #hold(text: string): void {
    if (this.#depth === SUITE) this.#suite.add(text)
    else if (this.#depth >= CASE) this.#case.add(text)
  }

  #count(): void {
    if (this.#depth === SUITE) this.#suite.values++
    else if (this.#depth >= CASE) this.#case.values++
  }

  #endCase(): void {
    const record = this.#case.record()
    this.#case = new HeldText()
    if (record === undefined || (record.status !== 'failed' && record.status !== 'error')) return
    if (this.#failing.length < this.#wanted.most) this.#failing.push(record)
  }

  #endSuite(): void {
    const name = this.#suite.record()?.name
    const { suite, most } = this.#wanted
    if (suite === undefined || suite === name)
      for (const failing of this.#failing.slice(0, most - this.cases.length))
        this.cases.push(shownCase(name, failing))
    this.#failing = []
    this.#found = suite !== undefined && suite === name
  }
}

/** Text that is kept unless it becomes too long. */
class HeldText {
  values = 0
  #text = ''
  #isCut = false

  add(text: string): void {
    this.#isCut ||= this.#text.length >= MAX_HELD || this.values > MAX_VALUES
    if (!this.#isCut) this.#text += text
  }

  /**
   * Parses the text.
   * @returns undefined if it is not an object, or was too long
   * @throws CallProblem if it is not JSON: to find this out for each of thousands that follow would take long
   */
  record(): Fields | undefined {
    if (this.#isCut) return undefined
    try {
      const value: unknown = JSON.parse(this.#text)
      return isRecord(value) ? value : undefined
    } catch {
      throw noReport()
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const opens = (code: number): boolean => code === 0x7b || code === 0x5b
const closes = (code: number): boolean => code === 0x7d || code === 0x5d

function shownCase(suite: unknown, record: Fields): Fields {
  const { name, classname, file, status, execution_time, system_output, stack_trace, recent_failures } =
    record
  const message = [outputText(system_output), text(stack_trace)].filter(part => part !== '').join('\n')
  return {
    suite: cut(suite, MAX_TEXT),
    name: cut(name, MAX_TEXT),
    classname: cut(classname, MAX_TEXT),
    file: cut(file, MAX_TEXT),
    status,
    execution_time,
    message: message === '' ? undefined : cut(message, MAX_MESSAGE),
    recent_failures
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The output as text: the forge returns a text, an object with a message and a type, or a list of either. */
function outputText(output: unknown): string {
  if (Array.isArray(output)) return output.map(outputText).join('\n')
  if (typeof output !== 'object' || output === null) return text(output)
  const { message, type } = output as Fields
  return [text(type), text(message)].filter(part => part !== '').join(': ')
}

const cut = (value: unknown, longest: number): unknown =>
  typeof value === 'string' ? withRest(value, longest) : value
