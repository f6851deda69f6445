import { parentPort, workerData } from 'node:worker_threads'
import { payloadCorpus } from '../../test/labelled-payloads.ts'
import { judgePart } from './cross-validate.ts'
import { examplesOf } from './questions.ts'

parentPort!.postMessage(
  judgePart(examplesOf(payloadCorpus().filter(({ blind }) => !blind)), workerData.grouping, workerData.part),
)
