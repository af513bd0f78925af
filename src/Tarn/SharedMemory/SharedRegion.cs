using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Memory with a name that several processes map: made by one, opened by others by the name alone.</summary>
/// <remarks>
/// <para>Linux and macOS have no named shared memory in .NET (<see cref="System.IO.MemoryMappedFiles.MemoryMappedFile"/> throws
/// <see cref="PlatformNotSupportedException"/> for a name); this has it on every system. On Linux it is a file in /dev/shm, which is
/// memory; on macOS and Windows a temporary file. The system stands for every byte when
/// <see cref="Create(string, long, SharedRegionOptions?)"/> returns.</para>
/// <para>A name has up to 128 letters from A to Z, digits, '-', '_' and '.', and does not end in '.'. Names are apart from those of other
/// programs and shared by all of Tarn's on the machine; where file names take no note of case, these do not either.</para>
/// <para>The bytes are zero at first. The region does not order what processes write there: use <see cref="Volatile"/> and
/// <see cref="Interlocked"/>, or a <see cref="SharedRing"/>. Who may open a region may also shorten its file with other tools, and whoever
/// then touches what is gone dies by a signal: give access to those you trust with that.</para>
/// <para>All members are safe to call from any thread; what several write to the same bytes is theirs to order. After
/// <see cref="Dispose"/> all but <see cref="Name"/> and <see cref="Size"/> throw <see cref="ObjectDisposedException"/>, and so does every
/// <see cref="Memory{T}"/> taken before. Spans and <see cref="Pointer"/> cannot be guarded so: using them after, or in a region that was
/// forgotten, reaches memory that is unmapped.</para>
/// </remarks>
public sealed unsafe partial class SharedRegion : IDisposable, ILongMemory
{
    private readonly NamedMemory _names;
    private readonly SafeBuffer _memory;
    private readonly byte* _pointer;
    private readonly Guid _id;

    /// <summary>The one to delete the name.</summary>
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

    /// <summary>The name it was made with.</summary>
    public string Name { get; }

    /// <summary>Its size in bytes: exactly as asked for.</summary>
    public long Size { get; }

    /// <summary>The address of the first byte in this process, a multiple of 4,096. In other processes it is another one.</summary>
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

    /// <summary>A part of the region.</summary>
    /// <param name="offset">Where it begins, in bytes.</param>
    /// <param name="length">Its length in bytes.</param>
    /// <returns>A span that does not keep the region alive.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part does not lie in the region.</exception>
    /// <exception cref="ObjectDisposedException">The region was disposed.</exception>
    public Span<byte> GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, Size);
        return new Span<byte>(_pointer + offset, length);
    }

    /// <summary>A part of the region.</summary>
    /// <param name="offset">Where it begins, in bytes.</param>
    /// <param name="length">Its length in bytes.</param>
    /// <returns>A memory that keeps the region alive, of a small object of its own. A pin keeps the bytes mapped, also when the region is
    /// disposed meanwhile.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part does not lie in the region.</exception>
    /// <exception cref="ObjectDisposedException">The region was disposed.</exception>
    public Memory<byte> GetMemory(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, Size);
        return new MemoryWindow(this, offset, length).Memory;
    }

    /// <summary>
    /// Unmaps the region, and removes its name if this is who made it and its options say so; other processes keep what they have mapped. A
    /// second time is harmless.
    /// </summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        // While it is mapped, no other file can be taken for it.
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
