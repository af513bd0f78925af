using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Named memory that several processes map: one creates it, and others open it by name.</summary>
/// <remarks>
/// <para>On Linux and macOS, .NET has no named shared memory: <see cref="System.IO.MemoryMappedFiles.MemoryMappedFile"/> throws
/// <see cref="PlatformNotSupportedException"/> for a name. A region works on every system. On Linux it is a file in /dev/shm, which is
/// memory; on macOS and Windows it is a temporary file. The system has reserved every byte when
/// <see cref="Create(string, long, SharedRegionOptions?)"/> returns.</para>
/// <para>A name has up to 128 letters from A to Z, digits, '-', '_' and '.', and does not end in '.'. All programs on the machine that use
/// Tarn share the names. Names ignore case where file names do.</para>
/// <para>The bytes are zero at first. The region does not order the writes of processes: use <see cref="Volatile"/> and
/// <see cref="Interlocked"/>, or a <see cref="SharedRing"/>. A process that may open a region may also shorten its file with other tools,
/// and a signal then ends each process that accesses the missing part: give access only to processes you trust with that.</para>
/// <para>All members are safe to call from any thread; callers must synchronize writes to the same bytes. After <see cref="Dispose"/>, all
/// members but <see cref="Name"/> and <see cref="Size"/> throw <see cref="ObjectDisposedException"/>, and so does every
/// <see cref="Memory{T}"/> obtained earlier. Spans and <see cref="Pointer"/> have no such guard: using them after disposal, or after the
/// region was forgotten, accesses unmapped memory.</para>
/// </remarks>
public sealed unsafe partial class SharedRegion : IDisposable, ILongMemory
{
    private readonly NamedMemory _names;
    private readonly SafeBuffer _memory;
    private readonly byte* _pointer;
    private readonly Guid _id;

    /// <summary>Whether this object deletes the name.</summary>
    private readonly bool _isDeletedOnDispose;

    private int _isDisposed;

    private SharedRegion(NamedMemory names, string name, SafeBuffer memory, in RegionHeader header, bool isDeletedOnDispose)
    {
        _names = names;
        _memory = memory;
        _pointer = (byte*)memory.DangerousGetHandle() + RegionHeader.Length;
        _id = header.Id;
        _isDeletedOnDispose = isDeletedOnDispose;
        Name = name;
        Size = header.Size;
        if (isDeletedOnDispose)
        {
            CreatedRegions.Add(names, name, header.Id);
        }
    }

    /// <summary>The name it was created with.</summary>
    public string Name { get; }

    /// <summary>The size in bytes, exactly as requested.</summary>
    public long Size { get; }

    /// <summary>A value that no other region has.</summary>
    internal Guid Id => _id;

    /// <summary>The address of the first byte in this process, a multiple of 4,096. It differs between processes.</summary>
    /// <exception cref="ObjectDisposedException">The region was disposed.</exception>
#pragma warning disable CA1720 // a pointer is what it is
    public byte* Pointer
#pragma warning restore CA1720
    {
        get
        {
            ThrowIfDisposed();
            return _pointer;
        }
    }

    /// <summary>Returns a part of the region as a span.</summary>
    /// <param name="offset">The offset of the part's first byte.</param>
    /// <param name="length">The part's length, in bytes.</param>
    /// <returns>A span that does not keep the region alive.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the region.</exception>
    /// <exception cref="ObjectDisposedException">The region was disposed.</exception>
    public Span<byte> GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, Size);
        return new Span<byte>(_pointer + offset, length);
    }

    /// <summary>Returns a part of the region as a memory.</summary>
    /// <param name="offset">The offset of the part's first byte.</param>
    /// <param name="length">The part's length, in bytes.</param>
    /// <returns>
    /// A memory that keeps the region alive; it allocates a small object. A pin keeps the bytes mapped even if the region is disposed.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the region.</exception>
    /// <exception cref="ObjectDisposedException">The region was disposed.</exception>
    public Memory<byte> GetMemory(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, Size);
        return new MemoryWindow(this, offset, length).Memory;
    }

    /// <summary>
    /// Unmaps the region, and removes its name if this object created it and its options say so. Other processes keep their mappings. A
    /// second call does nothing.
    /// </summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        // Remove the name before unmapping: until then, no other file can be mistaken for the region's.
        if (_isDeletedOnDispose)
        {
            CreatedRegions.Remove(_id);
        }

        _memory.Dispose();
    }

    /// <inheritdoc cref="ILongMemory.PinAt"/>
    internal byte* PinAt(long offset)
    {
        bool isAdded = false;
        try
        {
            _memory.DangerousAddRef(ref isAdded);
        }
        catch (ObjectDisposedException)
        {
            ThrowIfDisposed();
            throw;
        }

        return _pointer + offset;
    }

    /// <inheritdoc/>
    byte* ILongMemory.PinAt(long offset) => PinAt(offset);

    /// <inheritdoc/>
    void ILongMemory.Unpin() => Unpin();

    internal void Unpin() => _memory.DangerousRelease();

    internal void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
}
