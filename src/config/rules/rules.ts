import { type Config, factsOf } from '../schema.ts'
import { tokenHint } from '../shown.ts'
import { networkRules } from './network-rules.ts'
import { oauthRules } from './oauth-rules.ts'
import { policyRules } from './policy-rules.ts'
import type { Rule } from './rule.ts'
import { sealingRules } from './sealing-rules.ts'
import { servingRules } from './serving-rules.ts'
import { toolRules } from './tool-rules.ts'
import { tracingRules } from './tracing-rules.ts'

/** All rules about values and combinations with which the service must not start; each is in the file of its topic. */
export const rules: readonly Rule[] = [
  ...servingRules,
  ...sealingRules,
  ...policyRules,
  ...networkRules,
  ...oauthRules,
  ...tracingRules
]

/**
 * Returns the sentences of all broken rules, except rules about `refused` variables.
 * @param tools names of all tools; undefined if they are not known
 * @param isAgain whether the service is already running, and the settings are not those of its start
 */
export function brokenRules(
  config: Config,
  refused: ReadonlySet<string>,
  tools: readonly string[] | undefined,
  isAgain: boolean
): string[] {
  return [...rules, ...(tools === undefined ? [] : toolRules(tools))]
    .filter(({ atStart }) => !(isAgain && atStart))
    .filter(rule => !rule.variables.some(variable => refused.has(variable)) && rule.broken(config))
    .map(rule => sentenceOf(rule, config))
}

/**
 * The sentence of a broken rule. For a rule about a single variable, it also says if the value is a token, which does
 * not belong there.
 */
function sentenceOf({ variables: [variable, ...others], say }: Rule, config: Config): string {
  const says = typeof say === 'string' ? say : say(config)
  return others.length > 0 || factsOf(variable!).writeOnly
    ? says
    : says + tokenHint(String(config[variable!]))
}
