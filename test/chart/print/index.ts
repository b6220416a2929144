import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printPatterns } from './patterns.ts'
import { printReadme, withPrintedBlocks } from './values.ts'
import { valuesSchema } from './values-schema.ts'
import { placesElsewhere } from './variables.ts'

/* Prints what of the chart follows from other files: `npm run docs`. */

export const chart = fileURLToPath(new URL('../../../helm', import.meta.url))

/** File and text of everything that is printed. */
export function printed(): readonly (readonly [file: string, text: string])[] {
  const values = withPrintedBlocks(readFileSync(`${chart}/values.yaml`, 'utf8'))
  return [
    ['values.yaml', values],
    ['values.schema.json', `${JSON.stringify(valuesSchema, null, 2)}\n`],
    ['README.md', printReadme(values)],
    ['files/patterns.json', printPatterns()],
    ['files/elsewhere.json', `${JSON.stringify(placesElsewhere, null, 2)}\n`],
    // Templates can read only what lies in the chart.
    ['files/alerts.yml', readFileSync(`${chart}/../docs/alerts.yml`, 'utf8')]
  ]
}

if (import.meta.main) for (const [file, text] of printed()) writeFileSync(`${chart}/${file}`, text)
