using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

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
/// members but <see cref="Name"/>, <see cref="Id"/> and <see cref="Size"/> throw <see cref="ObjectDisposedException"/>, and so does every
/// <see cref="Memory{T}"/> obtained earlier. Spans and <see cref="Pointer"/> have no such guard: using them after disposal, or after the
/// region was forgotten, accesses unmapped memory.</para>
/// </remarks>
public sealed unsafe partial class SharedRegion : IDisposable, ILongMemory
{
    private const int InUse = 0;
    private const int Disposed = 1;

    /// <summary>Forgotten: the memory is about to go, and so it has for objects that are finalized later or were resurrected.</summary>
    private const int Finalized = 2;

    private readonly NamedMemory _names;
    private readonly SafeBuffer _memory;
    private readonly byte* _pointer;
    private readonly Guid _id;

    /// <summary>The open file while this object may have seats in it; else null.</summary>
    private readonly SafeFileHandle? _file;

    private readonly bool _isCreator;

    /// <summary>Whether this object deletes the name.</summary>
    private readonly bool _isDeletedOnDispose;

    private int _state;

    private SharedRegion(NamedMemory names, string name, in Parts parts, bool isCreator, bool isDeletedOnDispose)
    {
        _names = names;
        _memory = parts.File.Memory;
        _file = parts.File.File;
        _pointer = (byte*)_memory.DangerousGetHandle() + RegionHeader.Length;
        _id = parts.Header.Id;
        _isCreator = isCreator;
        _isDeletedOnDispose = isDeletedOnDispose;
        Name = name;
        Size = parts.Header.Size;
        Longest = parts.Header.Longest;
        Number = parts.Header.Number;
        HasSeats = parts.Header.HasSeats != 0;
        Seats = parts.Seats;
        Status = parts.Status;
        IsOfThisKernel = parts.Header.IsOfThisKernel(parts.Status);
        if (isDeletedOnDispose)
        {
            CreatedRegions.Add(names, name, _id, Status, _file);
        }
    }

    /// <summary>Lets go of a forgotten region. Its name stays until the process ends.</summary>
    ~SharedRegion()
    {
        Interlocked.CompareExchange(ref _state, Finalized, InUse);
        if (!_isDeletedOnDispose)
        {
            LetGo();
        }
    }

    /// <summary>The name it was created with.</summary>
    public string Name { get; }

    /// <summary>The size in bytes, exactly as requested.</summary>
    public long Size { get; }

    /// <summary>A value that no other region has: two regions that had the same name one after the other differ in it.</summary>
    public Guid Id => _id;

    /// <summary>The length of a queue's longest message or of a value, as the header stated it when it was examined.</summary>
    internal int Longest { get; }

    /// <summary>What kind of number a value is, as the header stated it when it was examined.</summary>
    internal NumberKind Number { get; }

    /// <summary>Whether the processes that hold something in the region have seats in its file.</summary>
    internal bool HasSeats { get; }

    /// <summary>Those seats; null if there are none, this object needs none, or the system shows none.</summary>
    internal FileSeats? Seats { get; }

    /// <summary>Whether the creator's kernel is this one.</summary>
    internal bool IsOfThisKernel { get; }

    /// <summary>Whether the name leads to this region now. If not, no other process can open the region any more.</summary>
    /// <remarks>True as well if the system does not let this process look, or does not identify files.</remarks>
    internal bool HasName
    {
        get
        {
            try
            {
                return _names.LeadsTo(RegionNames.ToFileName(Name), Status);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                return true;
            }
        }
    }

    private FileStatus Status { get; }

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
        if (Interlocked.Exchange(ref _state, Disposed) == Disposed)
        {
            return;
        }

        GC.SuppressFinalize(this);

        try
        {
            // Remove the name before unmapping: until then, no other file can be mistaken for the region's.
            if (_isDeletedOnDispose)
            {
                CreatedRegions.Remove(_id);
            }
        }
        finally
        {
            LetGo();
            _memory.Dispose();
            _file?.Dispose();
        }
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

        if (Volatile.Read(ref _state) == Disposed)
        {
            // Earlier pins keep the memory mapped, but nobody may begin to use it.
            Unpin();
            ThrowIfDisposed();
        }

        return _pointer + offset;
    }

    /// <inheritdoc/>
    byte* ILongMemory.PinAt(long offset) => PinAt(offset);

    /// <inheritdoc/>
    void ILongMemory.Unpin() => Unpin();

    /// <summary>Keeps the memory mapped, and the seats, until the process ends.</summary>
    internal void KeepUntilExit()
    {
        bool isAdded = false;
        _memory.DangerousAddRef(ref isAdded);
        _file?.DangerousAddRef(ref isAdded);
    }

    internal void Unpin() => _memory.DangerousRelease();

    internal void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _state) != InUse, this);

    /// <summary>Leaves the creator's seat. If the region is to outlive this, it notes that the process may still run.</summary>
    private void LetGo()
    {
        if (!_isCreator || Seats is not { } seats)
        {
            return;
        }

        try
        {
            if (!_isDeletedOnDispose)
            {
                RandomAccess.Write(_file!, [1], RegionHeader.OwnerLetGoOffset);
            }

            seats.Leave(RegionSeat.Creator);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Another thread closed the file, and so left the seat, or the file system failed; closing the file leaves the seat as well.
        }
    }

    /// <summary>What a region is made of.</summary>
    /// <param name="File">Its memory, and its file if this process may have seats in it.</param>
    /// <param name="Header">Its header, examined.</param>
    /// <param name="Status">The identity of its file.</param>
    /// <param name="Seats">The seats of its file; null if there are none or this process needs none.</param>
    private readonly record struct Parts(NamedFile File, RegionHeader Header, FileStatus Status, FileSeats? Seats);
}
