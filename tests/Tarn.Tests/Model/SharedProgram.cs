using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program over counted buffers and their slices, on several threads one after the other, against a model that knows every holder
/// and what it must see. Holders that ended stay refused for ever. Two budgets, one the child of the other, count two thirds of the
/// buffers.
/// </summary>
internal sealed class SharedProgram : IDisposable
{
    private const int MostBuffers = 20;
    private const int MostEnded = 2_000;

    /// <summary>Of 20 buffers of up to 800 bytes, some are refused.</summary>
    private const long Limit = 6_000;

    /// <summary>The bytes by which an array of the least or of the greatest length is longer than what was asked for.</summary>
    private const long MostSlack = 256;

    private readonly Random _random;
    private readonly ProgramThreads _threads;
    private readonly BufferPool<long> _pool;
    private readonly BufferBudget[] _budgets;
    private readonly List<Message> _live = [];
    private readonly List<CountedSlice<long>> _ended = [];
    private readonly List<CountedBuffer<long>> _endedBuffers = [];
    private long _stamp;

    internal SharedProgram(int seed, BufferChecks checks)
    {
        _random = new Random(seed);
        _threads = new ProgramThreads(_random);
        _pool = BufferPool<long>.Create(new BufferPoolOptions { Checks = checks });
        BufferBudget all = new(Limit);
        _budgets = [all, all.CreateChild(Limit / 2)];
    }

    public void Dispose() => _threads.Dispose();

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            _threads.OnAny(Step);
            VerifyBudgets();
            _threads.EndReplaced();
        }

        while (_live.Count > 0)
        {
            _threads.OnAny(EndOne);
            VerifyBudgets();
        }

        _ended.ForEach(static slice => Assert.Throws<ObjectDisposedException>(() => slice.Span.Length));
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        Assert.Equal(_stamp, _pool.GetStatistics().Returned);
    }

    private void Step()
    {
        switch (_random.Next(12))
        {
            case 0 when _live.Count < MostBuffers:
                Rent();
                break;
            case < 6 when _live.Count > 0:
                Retain(_live[_random.Next(_live.Count)]);
                break;
            case < 10 when _live.Count > 0:
                EndOne();
                break;
            case 10 when _random.Next(10) == 0:
                _threads.ReplaceOne();
                break;
            default:
                MisuseOne();
                break;
        }
    }

    private void Rent()
    {
        BufferBudget? budget = _random.Next(3) is var index && index < _budgets.Length ? _budgets[index] : null;
        int length = 1 + _random.Next(100);
        CountedBuffer<long> buffer;
        try
        {
            buffer = CountedBuffer<long>.Rent(_pool, length, budget);
        }
        catch (BufferBudgetExceededException) when (budget is not null)
        {
            Assert.Contains(_budgets, full => full.InUse + (length * sizeof(long)) + MostSlack > full.Limit);
            return;
        }

        long bytes = MemoryMarshal.TryGetArray<long>(buffer.Memory, out ArraySegment<long> array) ? array.Array!.Length * sizeof(long) : 0;
        long first = ++_stamp << 32;
        for (int i = 0; i < buffer.Length; i++)
        {
            buffer.Span[i] = first + i;
        }

        _live.Add(new Message(buffer, first, budget, bytes));
    }

    private void VerifyBudgets()
    {
        long child = _live.Sum(message => message.Budget == _budgets[1] ? message.Bytes : 0);
        long all = child + _live.Sum(message => message.Budget == _budgets[0] ? message.Bytes : 0);
        Assert.Equal((all, child), (_budgets[0].InUse, _budgets[1].InUse));
    }

    private void Retain(Message message)
    {
        // Sometimes many holders at once, so that their places fill several arrays.
        for (int i = _random.Next(20) == 0 ? _random.Next(100) : 1; i > 0; i--)
        {
            if (message.Slices.Count > 0 && (message.Buffer is null || _random.Next(2) == 0))
            {
                (CountedSlice<long> slice, int start) = message.Slices[_random.Next(message.Slices.Count)];
                int from = _random.Next(slice.Length + 1);
                message.Slices.Add((slice.Slice(from, _random.Next(slice.Length - from + 1)), start + from));
            }
            else if (message.Buffer is { } buffer)
            {
                int from = _random.Next(buffer.Length + 1);
                message.Slices.Add((buffer.Slice(from, _random.Next(buffer.Length - from + 1)), from));
            }

            Verify(message);
        }
    }

    private void EndOne()
    {
        Message message = _live[_random.Next(_live.Count)];
        Verify(message);
        if (message.Buffer is { } buffer && (message.Slices.Count == 0 || _random.Next(8) == 0))
        {
            buffer.Dispose();
            message.Buffer = null;
            _endedBuffers.Add(buffer);
        }
        else
        {
            int index = _random.Next(message.Slices.Count);
            CountedSlice<long> slice = message.Slices[index].Slice;
            message.Slices.RemoveAt(index);
            slice.Dispose();
            if (_ended.Count < MostEnded)
            {
                _ended.Add(slice);
            }
        }

        if (message.Buffer is null && message.Slices.Count == 0)
        {
            _live.Remove(message);
        }
    }

    private void MisuseOne()
    {
        if (_ended.Count == 0 || _endedBuffers.Count == 0)
        {
            return;
        }

        CountedSlice<long> slice = _ended[_random.Next(_ended.Count)];
        CountedBuffer<long> buffer = _endedBuffers[_random.Next(_endedBuffers.Count)];
        Assert.Throws<ObjectDisposedException>(slice.Dispose);
        Assert.Throws<ObjectDisposedException>(() => slice.Slice());
        Assert.Throws<ObjectDisposedException>(() => slice.Memory);
        Assert.Throws<ObjectDisposedException>(buffer.Dispose);
        Assert.Throws<ObjectDisposedException>(() => buffer.Slice());
    }

    private void Verify(Message message)
    {
        if (message.Buffer is { } buffer)
        {
            Assert.Equal(1 + message.Slices.Count, buffer.HolderCount);
        }

        if (message.Slices.Count > 0)
        {
            (CountedSlice<long> slice, int start) = message.Slices[_random.Next(message.Slices.Count)];
            ReadOnlySpan<long> span = _random.Next(2) == 0 ? slice.Span : slice.Memory.Span;
            Assert.Equal(slice.Length, span.Length);
            for (int i = 0; i < span.Length; i++)
            {
                Assert.Equal(message.First + start + i, span[i]);
            }
        }
    }

    private sealed class Message(CountedBuffer<long> buffer, long first, BufferBudget? budget, long bytes)
    {
        internal BufferBudget? Budget => budget;

        /// <summary>The size of its array.</summary>
        internal long Bytes => bytes;

        internal CountedBuffer<long>? Buffer { get; set; } = buffer;

        internal long First => first;

        internal List<(CountedSlice<long> Slice, int Start)> Slices { get; } = [];
    }
}
