import { runProcess } from '../support/process-files.ts'

await runProcess('tools-b-z')
