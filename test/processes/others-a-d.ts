import { runProcess } from '../support/process-files.ts'

await runProcess('others-a-d')
