using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn.Tests.Writers;

/// <summary>
/// A random program over one <see cref="PooledWriter{T}"/> beside a list that holds the same. A budget, if the writer has one, counts the
/// memory of the writer and of what was detached after each step, and refuses some.
/// </summary>
internal sealed class PooledWriterProgram
{
    private const int MaxCount = 20_000;

    private readonly Random _random;
    private readonly WriterSource _source;
    private readonly List<(IMemoryOwner<byte> Owner, byte[] Contents)> _detached = [];
    private readonly List<WriterReservation<byte>> _places = [];
    private readonly List<WriterReservation<byte>> _over = [];
    private List<byte> _model = [];

    internal PooledWriterProgram(int seed, WriterSource source)
    {
        _random = new Random(seed);
        _source = source;
    }

    internal void Run(int steps)
    {
        using (PooledWriter<byte> writer = _source.Create(_random.Next(500), MaxCount))
        {
            for (int step = 0; step < steps; step++)
            {
                Step(writer);
                Assert.True(writer.WrittenSpan.SequenceEqual(_model.ToArray()), $"The contents differ after step {step}.");
                _source.AssertTaken(SizeOf(writer.WrittenMemory) + _detached.Sum(static one => SizeOf(one.Owner.Memory)));
            }
        }

        _detached.ForEach(static one => one.Owner.Dispose());
        _source.AssertAllReturned();
    }

    private void Step(PooledWriter<byte> writer)
    {
        switch (_random.Next(20))
        {
            case < 6:
                Add(writer, Bytes(Size()), bytes => writer.Write(bytes));
                break;
            case < 11:
                WriteInPlace(writer, Size());
                break;
            case < 13:
                int from = _random.Next(_model.Count + 1);
                int count = _random.Next(_model.Count - from + 1);
                Add(writer, [.. _model.GetRange(from, count)], _ => writer.Write(writer.WrittenSpan.Slice(from, count)));
                break;
            case < 15:
                byte[] zeros = new byte[_random.Next(20)];
                Add(writer, zeros, _ => _places.Add(writer.Reserve(zeros.Length)));
                break;
            case < 18:
                PatchOne();
                break;
            case 18:
                if (_random.Next(3) == 0)
                {
                    writer.Clear();
                    End();
                }

                break;
            default:
                Detach(writer);
                break;
        }
    }

    /// <summary>The bytes of the buffer that a memory lies in.</summary>
    private static long SizeOf(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetMemoryManager(memory, out HeapElements<byte>? elements) ? elements.Size
        : MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> array) ? array.Array!.Length : 0;

    private int Size() => _random.Next(4) == 0 ? _random.Next(5000) : _random.Next(40);

    private byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Runs a call that adds bytes: it does so, or refuses because of the maximum.</summary>
    private void Add(PooledWriter<byte> writer, byte[] added, Action<byte[]> call)
    {
        if (_model.Count + added.Length > MaxCount)
        {
            Assert.Throws<InvalidOperationException>(() => call(added));
            return;
        }

        if (!Try(() => call(added)))
        {
            return;
        }

        _model.AddRange(added);
        Assert.Equal(_model.Count, writer.WrittenCount);
    }

    /// <summary>Makes a call that a budget may refuse, which then has taken nothing.</summary>
    private bool Try(Action call)
    {
        long? before = _source.Budget?.InUse;
        try
        {
            call();
            return true;
        }
        catch (BufferBudgetExceededException) when (before is not null)
        {
            Assert.Equal(before, _source.Budget?.InUse);
            return false;
        }
    }

    private void WriteInPlace(PooledWriter<byte> writer, int sizeHint)
    {
        if (!Try(() => writer.GetSpan(sizeHint)))
        {
            return;
        }

        Span<byte> room = _random.Next(2) == 0 ? writer.GetSpan(sizeHint) : writer.GetMemory(sizeHint).Span;
        int least = Math.Max(1, sizeHint);
        int most = MaxCount - _model.Count;
        Assert.InRange(room.Length, least, least <= most ? most : int.MaxValue);
        int length = room.Length;
        if (most < length)
        {
            Assert.Throws<InvalidOperationException>(() => writer.Advance(_random.Next(most + 1, length + 1)));
            Assert.Throws<ArgumentOutOfRangeException>("count", () => writer.Advance(length + 1));
        }

        byte[] bytes = Bytes(_random.Next(Math.Min(Math.Min(length, most), sizeHint + 20) + 1));
        bytes.CopyTo(room);
        writer.Advance(bytes.Length);
        _model.AddRange(bytes);
    }

    private void PatchOne()
    {
        if (_over.Count > 0)
        {
            Assert.Throws<InvalidOperationException>(() => _over[_random.Next(_over.Count)].Span.Length);
        }

        if (_places.Count > 0)
        {
            WriterReservation<byte> place = _places[_random.Next(_places.Count)];
            byte[] patch = Bytes(place.Length);
            patch.CopyTo(place.Span);
            for (int i = 0; i < patch.Length; i++)
            {
                _model[place.Offset + i] = patch[i];
            }
        }
    }

    private void Detach(PooledWriter<byte> writer)
    {
        _detached.Add((writer.Detach(), [.. _model]));
        End();
        if (_detached.Count > 5)
        {
            (IMemoryOwner<byte> owner, byte[] contents) = _detached[_random.Next(5)];
            Assert.Equal(contents, owner.Memory.ToArray());
            owner.Dispose();
            _detached.RemoveAll(one => one.Owner == owner);
        }
    }

    private void End()
    {
        _model = [];
        _over.AddRange(_places);
        _places.Clear();
    }
}
