namespace Tarn.Tool.Memory.Mappings;

/// <summary>
/// Tells what each mapping is for: by its name, by the flags with which its owner mapped it, and by what lies beside it.
/// </summary>
/// <remarks>
/// <para>The runtime excludes from core dumps what it only reserves (<c>dd</c>), and includes what it uses of that. So reserved and used
/// mappings that lie side by side are one reservation of it. Those that contain code are the JIT compiler's, where code is mapped once; the
/// others, from some size on, are the collector's.</para>
/// <para>A heap of an arena is 64 MiB of address space at a multiple of that, of which the lower part is used, mapped without a
/// reservation of swap space (<c>nr</c>). So are Tarn's regions, which have a name where the kernel has names, and the memory of jemalloc
/// and mimalloc.</para>
/// <para>A stack has a guard below it. The kernel keeps huge pages off stacks (<c>nh</c>) from Linux 6.7 on.</para>
/// </remarks>
internal sealed class MappingKinds
{
    /// <summary>The size and the alignment of a heap of an arena, where addresses have 64 bits.</summary>
    public const ulong ArenaHeap = 64 << 20;

    private const string TarnName = "[anon:Tarn]";
    private const string CodeFile = "/memfd:doublemapper";
    private const ulong LeastCollected = 16 << 20;
    private const ulong LargestGuard = 1 << 20;

    private const string ExcludedFromDumps = "dd";
    private const string Unreserved = "nr";
    private const string WithoutHugePages = "nh";

    private readonly IReadOnlyList<Mapping> _mappings;
    private readonly MappingKind[] _kinds;
    private readonly bool _hasTarn;
    private readonly bool _hasAllocator;
    private readonly bool _marksStacks;
    private readonly HashSet<string> _programs;

    private readonly Func<ulong, bool> _isArena;

    private MappingKinds(IReadOnlyList<Mapping> mappings, Func<ulong, bool>? isArena)
    {
        _mappings = mappings;
        _hasAllocator = LoadedAllocator.Of(mappings) is not null;
        _isArena = isArena ?? (_ => !_hasAllocator);
        _kinds = new MappingKind[mappings.Count];
        _hasTarn = mappings.Any(one => Path.GetFileName(one.Name) == "Tarn.dll");
        _programs = [.. mappings.Where(one => one.IsCode && one.Name.StartsWith('/')).Select(one => one.Name)];
        _marksStacks = Enumerable.Range(1, Math.Max(0, mappings.Count - 1))
            .Any(at => HasGuard(at) && _mappings[at].Has(WithoutHugePages));
    }

    /// <summary>The heaps of arenas, by their addresses.</summary>
    public IReadOnlyList<ulong> ArenaHeaps { get; private set; } = [];

    /// <summary>The kinds of all mappings, in their order.</summary>
    public IReadOnlyList<MappingKind> All => _kinds;

    /// <summary>Tells the kinds of all mappings of a process.</summary>
    /// <param name="mappings">The mappings, in the order of their addresses.</param>
    /// <param name="isArena">
    /// Whether the memory at an address begins as a heap of an arena does; null where it cannot be read. Without names, a region of Tarn's
    /// may look like one from outside.
    /// </param>
    public static MappingKinds Of(IReadOnlyList<Mapping> mappings, Func<ulong, bool>? isArena = null)
    {
        MappingKinds kinds = new(mappings, isArena);
        kinds.TellNames();
        kinds.TellReservations();
        kinds.TellArenas();
        kinds.TellRest();
        return kinds;
    }

    private void TellNames()
    {
        for (int at = 0; at < _kinds.Length; at++)
        {
            if (!_mappings[at].IsAnonymous)
            {
                _kinds[at] = OfName(_mappings[at]);
            }
        }
    }

    private MappingKind OfName(Mapping mapping)
    {
        string name = mapping.Name;
        return name switch
        {
            _ when name.StartsWith(CodeFile, StringComparison.Ordinal) => mapping.IsCode ? MappingKind.Code : MappingKind.LoaderHeap,
            "[heap]" => MappingKind.MainHeap,
            "[stack]" => MappingKind.Stack,
            TarnName => MappingKind.Tarn,
            _ when name.StartsWith("[anon", StringComparison.Ordinal) => MappingKind.Named,
            _ when name.StartsWith('[') => MappingKind.Kernel,
            _ when IsShared(mapping) => MappingKind.Shared,
            _ when name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
                => MappingKind.Assembly,
            _ when _programs.Contains(name) || name.EndsWith(".so", StringComparison.Ordinal)
                || name.Contains(".so.", StringComparison.Ordinal) => MappingKind.Library,
            _ => MappingKind.File,
        };
    }

    private static bool IsShared(Mapping mapping) => mapping.Name is "" or "/dev/zero (deleted)"
        || mapping.Name.StartsWith("/dev/shm/", StringComparison.Ordinal) || mapping.Name.StartsWith("/memfd:", StringComparison.Ordinal)
        || mapping.Name.StartsWith("/SYSV", StringComparison.Ordinal);

    /// <summary>Tells the reservations of the runtime: runs of mappings side by side, some of them excluded from dumps.</summary>
    private void TellReservations()
    {
        for (int first = 0, end; first < _kinds.Length; first = end)
        {
            end = first + 1;
            if (!IsOfReservation(first))
            {
                continue;
            }

            while (end < _kinds.Length && IsOfReservation(end) && _mappings[end].Start == _mappings[end - 1].End)
            {
                end++;
            }

            Mapping[] run = [.. Enumerable.Range(first, end - first).Select(at => _mappings[at])];
            if (!run.Any(one => one.IsReserved && one.Has(ExcludedFromDumps)))
            {
                continue;
            }

            bool isCode = run.Any(one => one.IsCode);
            bool isCollected = !isCode && run[^1].End - run[0].Start >= LeastCollected;
            for (int at = first; at < end; at++)
            {
                _kinds[at] = isCollected ? MappingKind.GarbageCollector
                    : _mappings[at].IsCode ? MappingKind.Code
                    : MappingKind.LoaderHeap;
            }
        }
    }

    private bool IsOfReservation(int at) => _mappings[at].IsAnonymous && !_mappings[at].Has(Unreserved)
        && !_mappings[at].Has(WithoutHugePages) && (!_mappings[at].IsReserved || _mappings[at].Has(ExcludedFromDumps));

    /// <summary>
    /// Tells the heaps of arenas: places at a multiple of their size that unreserved mappings cover, the first of them used.
    /// </summary>
    private void TellArenas()
    {
        List<ulong> heaps = [];
        for (int at = 0; at < _kinds.Length; at++)
        {
            if (!IsUnreserved(at) || _mappings[at].IsReserved)
            {
                continue;
            }

            ulong place = (_mappings[at].Start + ArenaHeap - 1) & ~(ArenaHeap - 1);
            for (; place < _mappings[at].End && EndOfUnreserved(at) - place >= ArenaHeap; place += ArenaHeap)
            {
                if (!_isArena(place))
                {
                    continue;
                }

                heaps.Add(place);
                for (int inside = at; inside < _kinds.Length && _mappings[inside].Start < place + ArenaHeap; inside++)
                {
                    _kinds[inside] = MappingKind.Arena;
                }
            }
        }

        ArenaHeaps = heaps;
    }

    private bool IsUnreserved(int at) => _mappings[at].IsAnonymous && _mappings[at].Has(Unreserved);

    /// <summary>Where the unreserved mappings end that lie side by side from this on.</summary>
    private ulong EndOfUnreserved(int at)
    {
        ulong end = _mappings[at].End;
        while (++at < _kinds.Length && IsUnreserved(at) && _mappings[at].Start == end)
        {
            end = _mappings[at].End;
        }

        return end;
    }

    private void TellRest()
    {
        for (int at = 0; at < _kinds.Length; at++)
        {
            if (_kinds[at] == MappingKind.Unnamed)
            {
                _kinds[at] = OfAnonymous(at);
            }
        }
    }

    private MappingKind OfAnonymous(int at) => _mappings[at] switch
    {
        { IsCode: true } => MappingKind.Code,
        _ when IsStack(at) => MappingKind.Stack,
        var one when one.Has(Unreserved) && _hasAllocator => MappingKind.Allocator,
        var one when one.Has(Unreserved) && _hasTarn => MappingKind.Tarn,

        // The variables of a library that begin as zeros.
        var one when at > 0 && _kinds[at - 1] == MappingKind.Library && _mappings[at - 1].End == one.Start
            && _mappings[at - 1].Permissions[1] == 'w' => MappingKind.Library,
        _ => MappingKind.Unnamed,
    };

    private bool IsStack(int at) => HasGuard(at) && (!_marksStacks || _mappings[at].Has(WithoutHugePages));

    private bool HasGuard(int at) => at > 0 && _mappings[at].IsAnonymous && !_mappings[at].IsReserved && !_mappings[at].Has(Unreserved)
        && _mappings[at - 1] is { IsAnonymous: true, IsReserved: true, Size: <= LargestGuard } guard
        && guard.End == _mappings[at].Start && !guard.Has(ExcludedFromDumps) && !guard.Has(Unreserved);
}
