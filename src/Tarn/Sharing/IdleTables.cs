namespace Tarn;

/// <summary>
/// Tables without a buffer, so that sharing a buffer allocates nothing once warm: a thread's own, and those of all threads.
/// </summary>
/// <remarks>
/// A new table's lock belongs to the thread that rents the buffer. A thread keeps the tables that no other thread ever touched. Once one
/// of its tables was touched, the thread passes buffers on, and from then on takes tables whose locks have no owner, which all threads
/// share. So taking an owner's lock away, which is slow, is rare. Own tables are used by one thread alone, and garbage when it ends.
/// </remarks>
internal sealed class IdleTables<T>
{
    /// <summary>The most that a thread keeps. A table without a buffer takes half a kibibyte.</summary>
    private const int MostOwn = 16;

    private const int MostShared = 256;

    [ThreadStatic]
    private static IdleTables<T>? t_own;

    private static readonly HolderTable<T>?[] s_shared = new HolderTable<T>?[MostShared];
    private static ShortLock s_lock;
    private static int s_sharedCount;

    private readonly HolderTable<T>?[] _own = new HolderTable<T>?[MostOwn];
    private int _ownCount;

    /// <summary>Whether another thread touched one of this thread's tables.</summary>
    private bool _passesOn;

    private IdleTables()
    {
    }

    /// <summary>Takes a table, or creates one.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for a table; nothing has changed.</exception>
    internal static HolderTable<T> Take()
    {
        IdleTables<T> own = t_own ??= new IdleTables<T>();
        if (Volatile.Read(ref own._passesOn))
        {
            return TakeShared() ?? new HolderTable<T>(own, isOwned: false);
        }

        if (own._ownCount == 0)
        {
            return new HolderTable<T>(own, isOwned: true);
        }

        // A table that stayed here would keep a lost buffer alive, and no check would find it.
        ref HolderTable<T>? last = ref own._own[--own._ownCount];
        HolderTable<T> table = last!;
        last = null;
        return table;
    }

    /// <summary>Keeps a table of this thread, or drops it if there are enough.</summary>
    /// <param name="table">The table.</param>
    /// <param name="isOwn">Whether its lock belongs to the calling thread.</param>
    internal void Add(HolderTable<T> table, bool isOwn)
    {
        if (!isOwn)
        {
            Volatile.Write(ref _passesOn, true);
            AddShared(table);
        }
        else if (_ownCount < MostOwn)
        {
            _own[_ownCount++] = table;
        }
    }

    private static HolderTable<T>? TakeShared()
    {
        using (s_lock.Hold())
        {
            if (s_sharedCount == 0)
            {
                return null;
            }

            HolderTable<T>? table = s_shared[--s_sharedCount];
            s_shared[s_sharedCount] = null;
            return table;
        }
    }

    private static void AddShared(HolderTable<T> table)
    {
        using (s_lock.Hold())
        {
            if (s_sharedCount < MostShared)
            {
                s_shared[s_sharedCount++] = table;
            }
        }
    }
}
