using System.Buffers;
using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A writer over arrays of the pool or over a block of the heap, with a maximum or a budget of its own or without.</summary>
internal sealed class Writer : Owner
{
    private const int MostHint = 4_096;

    private readonly PooledWriter<byte> _writer;
    private readonly bool _isNative;

    /// <summary>The budget of its own; null for none.</summary>
    private readonly BudgetNode? _own;
    private readonly List<byte> _contents = [];

    private Writer(Company company, PooledWriter<byte> writer, bool isNative, BudgetNode? own = null)
        : base(company) =>
        (_writer, _isNative, _own) = (writer, isNative, own);

    internal static OwnerKind OfPool { get; } = new(
        "writer of the pool",
        static (company, step) => new Writer(
            company, new PooledWriter<byte>(company.Pool, Capacity(step), Most(step)), isNative: false),
        Calls,
        Endings);

    internal static OwnerKind OfHeap { get; } = new(
        "writer of the heap",
        static (company, step) => new Writer(company, new PooledWriter<byte>(company.Heap, Capacity(step), Most(step)), isNative: true),
        Calls,
        Endings);

    internal static OwnerKind OfBudget { get; } = new(
        "writer with a budget",
        static (company, step) => new Writer(
            company, new PooledWriter<byte>(company.Pool, 0, Most(step), company.StreamNode?.Budget), isNative: false, company.StreamNode),
        Calls,
        Endings);

    internal static OwnerKind OfHeapAndBudget { get; } = new(
        "writer of the heap with a budget",
        static (company, step) => new Writer(
            company, new PooledWriter<byte>(company.Heap, 0, Most(step), company.StreamNode?.Budget), isNative: true, company.StreamNode),
        Calls,
        Endings);

    private static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<Writer>("Write", static (writer, step) => writer.Write(step.Number)),
        OwnerCall.Of<Writer>("Write of a byte", static (writer, _) => writer.Write(1)),
        OwnerCall.Of<Writer>("GetSpan and Advance", static (writer, step) => writer.WriteInRoom(step.Number, step.Number)),
        OwnerCall.Of<Writer>("GetMemory of more than is written", static (writer, step) => writer.WriteInRoom(MostHint, step.Number % 64)),
        OwnerCall.Of<Writer>("Reserve", static (writer, step) => writer.Reserve(step.Number)),
        OwnerCall.Of<Writer>("Clear", static (writer, _) => writer.Clear()),
        OwnerCall.Of<Writer>("Detach", static (writer, step) => writer.Detach(step.Other)),
        OwnerCall.Of<Writer>("Write of its own bytes", static (writer, _) => writer.WriteOwn()),
    ];

    private static IReadOnlyList<OwnerCall> Endings =>
    [
        OwnerCall.Of<Writer>("disposed", static (writer, _) => writer.Dispose()),
        OwnerCall.Of<Writer>("disposed twice", static (writer, _) =>
        {
            writer.Dispose();
            writer.Dispose();
        }),
    ];

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver =>
    [
        ("Write", () => _writer.Write(1)), ("GetSpan", () => _writer.GetSpan(1)), ("GetMemory", () => _writer.GetMemory(5_000)),
        ("Detach", () => _writer.Detach().Dispose()), ("Reserve", () => _writer.Reserve(3)), ("Clear", _writer.Clear),
    ];

    private int Left => _writer.MaxCount - _contents.Count;

    /// <inheritdoc/>
    internal override void Charge(long[] held)
    {
        if (_isNative)
        {
            int length = MemoryMarshal.TryGetMemoryManager(_writer.WrittenMemory, out HeapElements<byte>? elements)
                ? elements.GetSpan().Length
                : 0;
            Add(held, _own, length);
            Add(held, Company.HeapNode, length == 0 ? 0 : Company.HeapCharge(length, alignment: 64));
        }
        else
        {
            Add(held, _own, LengthOf(_writer.WrittenMemory));
            Add(held, Company.PoolNode, LengthOf(_writer.WrittenMemory));
        }
    }

    /// <inheritdoc/>
    internal override void Verify() => Require.That(
        _writer.WrittenSpan.SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"#{Number} has other bytes than were written.");

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        _writer.Dispose();
    }

    private static int Capacity(Step step) => step.Choice % 3 == 0 ? Math.Min(step.Number, Most(step)) : 0;

    /// <summary>Each third writer has a maximum.</summary>
    private static int Most(Step step) => step.Other % 3 == 0 ? 1_024 : int.MaxValue;

    private static int LengthOf(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> segment) ? segment.Array!.Length : 0;

    /// <summary>With a budget of its own, it has that one's bytes when the pool or heap refuses.</summary>
    private bool Try(Action call) => Company.Try(call, inPieces: _own is not null);

    private void Write(int length)
    {
        byte[] bytes = Company.NextBytes(length);
        if (length > Left)
        {
            Company.Refuses<InvalidOperationException>("A write above the maximum", () => _writer.Write(bytes));
        }
        else if (Try(() => _writer.Write(bytes)))
        {
            _contents.AddRange(bytes);
        }
    }

    /// <summary>Asks for room, and writes as much: a maximum counts what is written, whatever was asked for.</summary>
    private void WriteInRoom(int hint, int length)
    {
        length = Math.Min(length, Left);
        byte[] bytes = Company.NextBytes(length);
        if (Left > 0 && Try(() => bytes.CopyTo(_writer.GetSpan(hint))))
        {
            _writer.Advance(length);
            _contents.AddRange(bytes);
        }
    }

    private void Reserve(int length)
    {
        length = Math.Min(length, Left);
        byte[] bytes = Company.NextBytes(length);
        if (Try(() => bytes.CopyTo(_writer.Reserve(length).Span)))
        {
            _contents.AddRange(bytes);
        }
    }

    private void WriteOwn()
    {
        if (_contents.Count <= Left && Try(() => _writer.Write(_writer.WrittenSpan)))
        {
            _contents.AddRange(_contents.ToArray());
        }
    }

    private void Clear()
    {
        _writer.Clear();
        _contents.Clear();
    }

    private void Detach(int number)
    {
        if (!Company.IsFree(number))
        {
            return;
        }

        long[] held = new long[Company.MostBudgets];
        Charge(held);
        byte[] contents = [.. _contents];
        IMemoryOwner<byte>? detached = null;
        if (Company.Try(() => detached = _writer.Detach()))
        {
            _contents.Clear();
            MemoryOwner owner = MemoryOwner.Detached(Company, detached!, contents, (_, all) => AddAll(all, held));
            Company.Add(MemoryOwner.OfHeap, number, () => owner);
            Company.Move(this, held, owner);
        }
    }
}
