using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>A random program over a checked heap that makes one mistake at a random point, and its required result.</summary>
internal sealed unsafe class FaultyProgram : IDisposable
{
    private readonly CheckedHeapUnderTest _heap = new(BufferChecks.All, new NativeHeapOptions { MaxRetainedBytes = 8 << 20 });
    private readonly IncidentLog _incidents;
    private readonly List<Live> _live = [];
    private readonly Random _random;

    internal FaultyProgram(int seed)
    {
        _random = new Random(seed);
        _incidents = new IncidentLog(_heap.Name);
    }

    public void Dispose()
    {
        _heap.Dispose();
        _incidents.Dispose();
    }

    /// <summary>Runs, errs, runs on, cleans up; fails unless exactly the one mistake was found.</summary>
    internal void Run(InjectedFault fault)
    {
        Walk(40);
        Live victim = Allocate(_random.Next(1, 3000));
        long size = Err(fault, victim);
        Walk(20);
        _heap.Validate();
        _live.ForEach(Free);
        Assert.Equal(fault == InjectedFault.Leak ? 1 : 0, _heap.InUseBlocks);
        _heap.Dispose();
        if (KindOf(fault) is not { } kind)
        {
            _incidents.AssertNone();
            return;
        }

        BufferIncident found = _incidents.WaitForOne();
        Assert.Equal((kind, size), (found.Kind, found.SizeInBytes));
    }

    private static BufferIncidentKind? KindOf(InjectedFault fault) => fault switch
    {
        InjectedFault.None => null,
        InjectedFault.DoubleFree or InjectedFault.DoubleReallocate => BufferIncidentKind.DoubleReturn,
        InjectedFault.Overrun or InjectedFault.Underrun => BufferIncidentKind.Overrun,
        InjectedFault.WriteAfterFree => BufferIncidentKind.UseAfterReturn,
        InjectedFault.Leak => BufferIncidentKind.Leak,
        _ => BufferIncidentKind.ForeignReturn,
    };

    private void Walk(int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            switch (_random.Next(_live.Count > 15 ? 3 : 6))
            {
                case < 2 when _live.Count > 0:
                    Free(TakeAny());
                    break;
                case 2 when _live.Count > 0:
                    Reallocate(TakeAny());
                    break;
                case 3 when _random.Next(20) == 0:
                    _heap.Trim();
                    break;
                default:
                    _live.Add(Allocate(_random.Next(10) == 0 ? _random.Next(100_000) : _random.Next(300)));
                    break;
            }
        }
    }

    /// <summary>Makes the mistake; the size of the block it is about.</summary>
    private long Err(InjectedFault fault, Live victim)
    {
        byte* block = victim.Block;
        int distance = _random.Next(1, 33);
        byte change = (byte)_random.Next(1, 256);
        switch (fault)
        {
            case InjectedFault.DoubleFree:
                Free(victim);
                Assert.Throws<InvalidOperationException>(() => Free(victim));
                return victim.Size;
            case InjectedFault.DoubleReallocate:
                Free(victim);
                Assert.Throws<InvalidOperationException>(() => _heap.Reallocate(block, (nuint)victim.Size, 10));
                return victim.Size;
            case InjectedFault.InteriorFree:
                Assert.Throws<InvalidOperationException>(() => _heap.Free(block + _random.Next(1, victim.Size + 1)));
                break;
            case InjectedFault.ForeignFree:
                int local = 0;
                nint stack = (nint)(&local);
                Assert.Throws<InvalidOperationException>(() => _heap.Free((void*)stack));
                Free(victim);
                return 0;
            case InjectedFault.WrongSize:
                Assert.Throws<InvalidOperationException>(() => _heap.Free(block, (nuint)(victim.Size + distance)));
                break;
            case InjectedFault.WrongAlignment:
                Assert.Throws<InvalidOperationException>(() => _heap.FreeAligned(block, (nuint)victim.Size, 1 << 20));
                break;
            case InjectedFault.Overrun:
                block[victim.Size + distance - 1] ^= change;
                break;
            case InjectedFault.Underrun:
                block[-distance] ^= change;
                break;
            case InjectedFault.WriteAfterFree:
                Free(victim);
                block[_random.Next(victim.Size)] ^= change;
                return victim.Size;
            case InjectedFault.Leak:
                return victim.Size;
        }

        Free(victim);
        return victim.Size;
    }

    private Live TakeAny()
    {
        int at = _random.Next(_live.Count);
        Live one = _live[at];
        _live.RemoveAt(at);
        return one;
    }

    private Live Allocate(int size)
    {
        nuint alignment = _random.Next(4) == 0 ? (nuint)1 << _random.Next(13) : 0;
        byte* block = alignment > 0 ? _heap.AllocateAligned((nuint)size, alignment) : _heap.Allocate((nuint)size);
        Assert.Equal((nuint)0, (nuint)block % Math.Max(alignment, 1));
        byte mark = (byte)_random.Next(256);
        new Span<byte>(block, size).Fill(mark);
        return new Live((nint)block, size, alignment, mark);
    }

    private void Reallocate(Live one)
    {
        int size = _random.Next(2 * (one.Size + 10));
        byte* block = _heap.Reallocate(one.Block, (nuint)one.Size, (nuint)size);
        Assert.False(new Span<byte>(block, Math.Min(size, one.Size)).ContainsAnyExcept(one.Mark));
        new Span<byte>(block, size).Fill(one.Mark);
        _live.Add(new Live((nint)block, size, 0, one.Mark));
    }

    private void Free(Live one)
    {
        if (_random.Next(3) == 0)
        {
            _heap.Free(one.Block);
        }
        else if (one.Alignment > 0)
        {
            _heap.FreeAligned(one.Block, (nuint)one.Size, one.Alignment);
        }
        else
        {
            _heap.Free(one.Block, (nuint)one.Size);
        }
    }

    private readonly record struct Live(nint Address, int Size, nuint Alignment, byte Mark)
    {
        internal byte* Block => (byte*)Address;
    }
}
