import { runProcess } from '../support/process-files.ts'

await runProcess('tools-a-al')
