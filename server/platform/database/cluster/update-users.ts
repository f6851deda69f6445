import { type IdentifierNode, type KyselyPlugin, OperationNodeTransformer } from 'kysely'

class NameTable extends OperationNodeTransformer {
  protected override transformIdentifier(node: IdentifierNode): IdentifierNode {
    return node.name === 'active_users' ? { ...node, name: 'users' } : node
  }
}

/** Updates `users` where better-auth updates the view `active_users`: Citus updates no view. */
export const updateUsers: KyselyPlugin = {
  transformQuery: ({ node, queryId }) =>
    node.kind === 'UpdateQueryNode' ? new NameTable().transformNode(node, queryId) : node,
  transformResult: async ({ result }) => result,
}
