import fc from 'fast-check'
// Once a worker: this file is run before each file of tests, what it imports is not.
import './equal-bytes.ts'

/**
 * Properties draw the same examples in every run, so that a change alone can turn one red.
 * `ROLLBED_PROPERTY_SEED=N` draws others, `ROLLBED_PROPERTY_SEED=random` new ones each time.
 */
const { ROLLBED_PROPERTY_SEED: seed = '1' } = process.env
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
