import type { Supervisor } from '#devnet/base/process/supervisor'
import type { ChainView } from '#devnet/l2/node/chain-view'

/** Has the supervisor say what the chain itself cannot mend: a disk that is full, a transaction that broke the node. */
export function watchChain(chain: Pick<ChainView, 'on'>, supervisor: Supervisor): void {
  chain.on('waits', (reason) =>
    supervisor.wait(
      'L2 chain',
      reason && `${reason.message} It takes no transactions until there is room.`,
    ),
  )
  let broken = 0
  chain.on('broke', ({ number, fault }) => {
    broken += 1
    const others = broken > 1 ? ` ${broken - 1} more before it.` : ''
    supervisor.warn(
      'engine',
      `${fault.message} A deposit or system call of block ${number} failed by it, and no enclave vouches for the block.${others}`,
    )
  })
  let failed = 0
  chain.on('discarded', ({ reason }) => {
    if (reason.code !== 'EXECUTION_FAILED') return
    failed += 1
    const others = failed > 1 ? ` ${failed - 1} more before it.` : ''
    supervisor.warn('execution', `${reason.message} It was dropped, the block goes on.${others}`)
  })
}
