import { type AskedClient, Unanswered } from '../../src/engine/consent/question.ts'

/** The client of calls during which nobody can be asked. */
export const unaskable: AskedClient = {
  can: () => false,
  checkUnasked() {},
  ask: () => Promise.reject(new Unanswered('Nobody can be asked here.'))
}
