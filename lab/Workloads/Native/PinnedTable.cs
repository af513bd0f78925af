namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A workload's own table: reached through a pointer, as in C, and resident before anything is measured. It lives as long as the workload.
/// </summary>
internal sealed unsafe class PinnedTable<T>
    where T : unmanaged
{
    private readonly T[] _items;

    public PinnedTable(int length)
    {
        _items = GC.AllocateArray<T>(length, pinned: true);
        // Fresh memory is not resident until it is written, and zeros would be nothing to write.
        Pointer = (T*)System.Runtime.CompilerServices.Unsafe.AsPointer(ref _items[0]);
        new Span<byte>(Pointer, length * sizeof(T)).Fill(0xFF);
        Array.Clear(_items);
    }

    public T* Pointer { get; }

    public int Length => _items.Length;
}
