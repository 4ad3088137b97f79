/** Why buttons that change something cannot be pressed. */
export const RoleNote = ({ pool }: { pool: string | undefined }) =>
  pool !== undefined && (
    <p className="note" role="status">
      <span>
        You have the role user in the pool <bdi>{pool}</bdi>. To change this needs the role admin in the pool.
      </span>
    </p>
  );
