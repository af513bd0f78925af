using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program over memory pools of one <see cref="BufferPool{T}"/>, on several threads one after the other, against a model that
/// knows every block in use, what is written in it, and the length it must have.
/// </summary>
/// <remarks>
/// Owners are disposed several times at once, and again at any time later. The threads take turns, so the model is exact.
/// </remarks>
internal sealed class MemoryPoolProgram : IDisposable
{
    private const int MaxLive = 200;
    private const int MaxStale = 200;

    private readonly Random _random;
    private readonly ProgramThreads _threads;
    private readonly BufferPool<byte> _pool;
    private readonly List<View> _views;
    private readonly List<Block> _live = [];

    /// <summary>Owners that were disposed.</summary>
    private readonly List<IMemoryOwner<byte>> _stale = [];

    private byte _stamp;

    internal MemoryPoolProgram(int seed, BufferChecks checks)
    {
        _random = new Random(seed);
        _threads = new ProgramThreads(_random);
        _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks });
        _views = [.. Enumerable.Range(0, 4).Select(_ => CreateView())];
    }

    public void Dispose() => _threads.Dispose();

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            _threads.OnAny(Step);
            _threads.EndReplaced();
            if (step % 20 == 0)
            {
                Verify();
            }
        }

        while (_live.Count > 0)
        {
            _threads.OnAny(DisposeOne);
        }

        Verify();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    private void Step()
    {
        switch (_random.Next(20))
        {
            case < 9 when _live.Count < MaxLive:
                RentSome();
                break;
            case < 17:
                for (int i = _random.Next(60); i >= 0 && _live.Count > 0; i--)
                {
                    DisposeOne();
                }

                break;
            case 17:
                _views[_random.Next(_views.Count)] = CreateView();
                break;
            case 18:
                _threads.ReplaceOne();
                break;
            default:
                DisposeAgain();
                break;
        }
    }

    private View CreateView()
    {
        int smallest = _random.Next(3) == 0 ? 0 : _random.Next(1, 3000);
        int longest = _random.Next(2) == 0 ? int.MaxValue : Math.Max(smallest, _random.Next(1, 9000));
        bool doubling = _random.Next(2) == 0;
        return new View(_pool.AsMemoryPool(smallest, longest, doubling), new BlockLengths(smallest, longest, doubling));
    }

    private void RentSome()
    {
        for (int i = _random.Next(5) == 0 ? _random.Next(100) : _random.Next(5); i >= 0; i--)
        {
            View view = _views[_random.Next(_views.Count)];
            int requested = _random.Next(4) == 0 ? -1 : _random.Next(0, Math.Min(view.Memory.MaxBufferSize, 12_000) + 1);
            IMemoryOwner<byte> owner = view.Memory.Rent(requested);
            int length = owner.Memory.Length;
            Assert.True(length >= view.LeastFor(requested), $"Asked for {requested} with {view.Lengths}, got {length}.");
            Assert.True(length <= view.Memory.MaxBufferSize);
            Assert.DoesNotContain(_live, live => ReferenceEquals(live.Owner, owner));
            Assert.DoesNotContain(_live, live => live.Owner.Memory.Span.Overlaps(owner.Memory.Span));
            Assert.DoesNotContain(_stale, stale => ReferenceEquals(stale, owner));
            owner.Memory.Span.Fill(++_stamp);
            view.InUse += length;
            _live.Add(new Block(owner, view, length, _stamp));
        }
    }

    private void DisposeOne()
    {
        int at = _random.Next(_live.Count);
        Block block = _live[at];
        _live.RemoveAt(at);
        Assert.Equal(-1, block.Owner.Memory.Span.IndexOfAnyExcept(block.Stamp));
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            block.Owner.Dispose();
        }

        Assert.Throws<ObjectDisposedException>(() => block.Owner.Memory);
        block.View.InUse -= block.Length;
        Keep(block.Owner);
    }

    /// <summary>Keeps an owner for later disposals, in the place of another if there are many.</summary>
    private void Keep(IMemoryOwner<byte> owner)
    {
        if (_stale.Count < MaxStale)
        {
            _stale.Add(owner);
        }
        else
        {
            _stale[_random.Next(MaxStale)] = owner;
        }
    }

    private void DisposeAgain()
    {
        foreach (IMemoryOwner<byte> owner in _stale)
        {
            owner.Dispose();
            Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        }
    }

    private void Verify()
    {
        foreach (Block block in _live)
        {
            Assert.Equal(-1, block.Owner.Memory.Span.IndexOfAnyExcept(block.Stamp));
        }

        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.InRange(statistics.InUseBytes, _live.Sum(static block => (long)block.Length), long.MaxValue);
        _pool.Core.Validate();
    }

    private sealed record Block(IMemoryOwner<byte> Owner, View View, int Length, byte Stamp);

    private sealed record View(MemoryPool<byte> Memory, BlockLengths Lengths)
    {
        /// <summary>The bytes of the blocks in use, as long as their owners show them.</summary>
        internal long InUse { get; set; }

        internal int LeastFor(int requested)
        {
            int byDefault = Lengths.Min > 0 ? Lengths.Min : Math.Min(4096, Memory.MaxBufferSize);
            int least = requested == -1 ? byDefault : Math.Max(requested, Lengths.Min);
            return Lengths.Doubling ? Math.Max(least, Grown()) : least;
        }

        private int Grown()
        {
            long most = Math.Min(InUse, Lengths.Max == int.MaxValue ? 32 << 10 : Lengths.Max);
            int power = 1;
            while (power * 2L <= most)
            {
                power *= 2;
            }

            return most > 0 ? power : 0;
        }
    }
}
