import type { ToolContext } from '../../src/engine/context.ts'
import { KeptText, textBytes } from '../../src/engine/files/kept-text.ts'
import { type Fields, isRecord } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { withRest } from '../../src/results/shortened.ts'

/*
 * A test report is one JSON text. It may be many megabytes long, and nearly all of it is cases that passed. So it is
 * parsed as it arrives. Of the structure { test_suites: [ { …, test_cases: [ {…} ] } ] } only one case is held at a
 * time. Of the failing cases, only the fields that are shown are kept.
 */

/** Nesting depths, counted in brackets. */
const SUITE = 3
const CASES = 4
const CASE = 5

/** Most characters of one case, or of a suite's own fields. Longer ones are skipped. */
const MAX_HELD = 1024 * 1024
/**
 * Most values in a case or a suite. A case has a dozen fields, and its output may be a list. Very many values would
 * take long to parse.
 */
const MAX_VALUES = 5_000
/** How many characters are kept of a message, and of other texts. */
const MAX_MESSAGE = 2000
const MAX_TEXT = 500

/** Memory that a kept case takes besides its characters. */
const CASE_BYTES = 500

type Answer = Parameters<Parameters<ToolContext['forge']['stream']>[1]>[0]
interface CasesWanted {
  /** The suite whose cases are wanted; undefined for all suites. */
  readonly suite: string | undefined
  readonly most: number
}

export const noReport = (): CallProblem =>
  new CallProblem('The forge answered with something that is no test report.')

/**
 * Reads the failing cases of a report, in the report's order.
 * @throws CallProblem if it is not a report; what reading the body throws
 */
export async function failingCases({ body }: Pick<Answer, 'body'>, wanted: CasesWanted): Promise<Fields[]> {
  const reader = new ReportReader(wanted)
  const decoder = new TextDecoder()
  for await (const chunk of body(reader)) {
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
  /** The fields of the current suite. Of its cases only the brackets are kept. */
  #suite = new HeldText()
  /** The current case. */
  #case = new HeldText()
  /** Failing cases of the current suite. Its name may come after them. */
  #failing: Fields[] = []
  #failingBytes = 0
  #casesBytes = 0
  #found = false

  constructor(wanted: CasesWanted) {
    this.#wanted = wanted
  }

  /** As in StreamReader. */
  get heldBytes(): number {
    return this.#suite.heldBytes + this.#case.heldBytes + this.#failingBytes + this.#casesBytes
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
      else if (opens(code)) from = this.#open(text, from, at)
      else if (closes(code)) from = this.#close(text, from, at)
    }
    this.#hold(text.slice(from))
  }

  #passString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === BACKSLASH) this.#escaped = true
    else if (code === QUOTE) this.#inString = false
  }

  /**
   * Handles an opening bracket.
   * @param from where the text begins that is not held yet
   * @returns where the text after this bracket begins that is not held yet
   */
  #open(text: string, from: number, at: number): number {
    this.#count()
    // A case is held completely, with everything inside it.
    if (this.#depth++ >= CASE) return from
    this.#hold(text.slice(from, at), this.#depth - 1)
    if (this.#depth === SUITE) this.#suite = new HeldText()
    if (this.#depth === CASE) this.#case = new HeldText()
    if (this.#depth !== CASES) return at
    this.#suite.add(text[at]!)
    return at + 1
  }

  /**
   * Handles a closing bracket.
   * @param from as in `#open`
   * @returns as `#open`
   */
  #close(text: string, from: number, at: number): number {
    const depth = this.#depth--
    if (depth > CASE) return from
    // The brackets of the list of cases are held in the suite's text, so that it remains valid JSON.
    if (depth === CASES) this.#suite.add(text[at]!)
    else this.#hold(text.slice(from, at + 1), depth)
    if (depth === CASE) this.#endCase()
    if (depth === SUITE) this.#endSuite()
    return at + 1
  }

  #hold(text: string, depth = this.#depth): void {
    if (depth === SUITE) this.#suite.add(text)
    else if (depth >= CASE) this.#case.add(text)
  }

  #count(): void {
    if (this.#depth === SUITE) this.#suite.values++
    else if (this.#depth >= CASE) this.#case.values++
  }

  #endCase(): void {
    const record = this.#case.record()
    this.#case = new HeldText()
    if (record === undefined || (record.status !== 'failed' && record.status !== 'error')) return
    if (this.#failing.length >= this.#wanted.most - this.cases.length) return
    const shown = shownCase(record)
    this.#failing.push(shown)
    this.#failingBytes += CASE_BYTES + textBytes(JSON.stringify(shown))
  }

  #endSuite(): void {
    const name = this.#suite.record()?.name
    const { suite } = this.#wanted
    if (suite === undefined || suite === name) {
      const shown = cut(name, MAX_TEXT)
      for (const failing of this.#failing) this.cases.push({ suite: shown, ...failing })
      this.#casesBytes += this.#failingBytes
    }
    this.#failing = []
    this.#failingBytes = 0
    this.#suite = new HeldText()
    this.#found = suite !== undefined && suite === name
  }
}

/** Text that is kept unless it becomes too long. */
class HeldText {
  values = 0
  #text = new KeptText()
  #isCut = false

  get heldBytes(): number {
    return this.#text.heldBytes
  }

  add(text: string): void {
    if (this.#isCut) return
    this.#isCut = this.#text.length >= MAX_HELD || this.values > MAX_VALUES
    if (this.#isCut) this.#text = new KeptText()
    else this.#text.add(text)
  }

  /**
   * Parses the text.
   * @returns undefined if it is not an object, or was too long
   * @throws CallProblem if it is not JSON. It ends the call, because trying the thousands of cases that may follow
   * would take long
   */
  record(): Fields | undefined {
    if (this.#isCut) return undefined
    try {
      const value: unknown = JSON.parse(this.#text.toString())
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

function shownCase(record: Fields): Fields {
  const { name, classname, file, status, execution_time, system_output, stack_trace, recent_failures } =
    record
  const message = [outputText(system_output), text(stack_trace)].filter(part => part !== '').join('\n')
  return {
    name: cut(name, MAX_TEXT),
    classname: cut(classname, MAX_TEXT),
    file: cut(file, MAX_TEXT),
    status,
    execution_time: cut(execution_time, MAX_TEXT),
    message: message === '' ? undefined : cut(message, MAX_MESSAGE),
    recent_failures: isRecord(recent_failures) ? failuresIn(recent_failures) : undefined
  }
}

const failuresIn = ({ count, base_branch }: Fields): Fields => ({
  count: cut(count, MAX_TEXT),
  base_branch: cut(base_branch, MAX_TEXT)
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The output as text. The forge returns a text, an object with a message and a type, or a list of either. */
const outputText = (output: unknown): string =>
  Array.isArray(output) ? output.map(partText).join('\n') : partText(output)

function partText(part: unknown): string {
  if (!isRecord(part)) return text(part)
  const { message, type } = part
  return [text(type), text(message)].filter(said => said !== '').join(': ')
}

/** A field of a case, shortened; undefined for an object or a list, as all fields are texts or numbers. */
function cut(value: unknown, longest: number): unknown {
  // A slice of a string keeps the whole string in memory, so it is copied.
  if (typeof value === 'string') return new KeptText(withRest(value, longest)).toString()
  return typeof value === 'object' ? undefined : value
}
