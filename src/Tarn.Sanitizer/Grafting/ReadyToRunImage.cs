using System.Buffers.Binary;
using System.Reflection.PortableExecutable;

namespace Tarn.Sanitizing.Grafting;

/// <summary>The compiled code of an image: which versions are known, and the table of compiled generic methods.</summary>
internal sealed class ReadyToRunImage
{
    private const uint Signature = 0x00525452; // RTR
    private const int HeaderSize = 16;
    private const int SectionSize = 12;
    private const int InstanceEntryPoints = 109;
    private const int OwnerCompositeExecutable = 116;

    /// <summary>The major versions of .NET 8, 9, 10 and 11.</summary>
    private static readonly int[] s_known = [9, 10, 16, 26];

    private readonly byte[] _image;
    private readonly PEHeaders _headers;
    private readonly Dictionary<int, (int Offset, int Size)> _sections = [];

    public ReadyToRunImage(byte[] image, PEHeaders headers)
    {
        _image = image;
        _headers = headers;
        DirectoryEntry directory = headers.CorHeader!.ManagedNativeHeaderDirectory;
        if (directory.Size == 0)
        {
            return;
        }

        int offset = OffsetOf(directory.RelativeVirtualAddress, HeaderSize);
        if (BinaryPrimitives.ReadUInt32LittleEndian(image.AsSpan(offset)) != Signature)
        {
            throw new GraftException("its compiled code is not ready-to-run");
        }

        IsCompiled = true;
        Major = BinaryPrimitives.ReadUInt16LittleEndian(image.AsSpan(offset + 4));
        int count = BinaryPrimitives.ReadInt32LittleEndian(image.AsSpan(offset + 12));
        for (int i = 0; i < count; i++)
        {
            Span<byte> section = image.AsSpan(offset + HeaderSize + (i * SectionSize), SectionSize);
            int size = BinaryPrimitives.ReadInt32LittleEndian(section[8..]);
            _sections[BinaryPrimitives.ReadInt32LittleEndian(section)] =
                (OffsetOf(BinaryPrimitives.ReadInt32LittleEndian(section[4..]), size), size);
        }
    }

    /// <summary>False for an image of instructions only.</summary>
    public bool IsCompiled { get; }

    /// <summary>Whether the code lies in an image that many assemblies share.</summary>
    public bool IsComposite => _sections.ContainsKey(OwnerCompositeExecutable);

    public int Major { get; }

    public bool IsKnown => s_known.Contains(Major);

    /// <summary>Where the table of compiled generic methods lies in the file.</summary>
    public (int Offset, int Size) Instances => _sections.TryGetValue(InstanceEntryPoints, out (int, int) found)
        ? found
        : throw new GraftException("its compiled code has no table of generic methods");

    private int OffsetOf(int address, int size)
    {
        int index = _headers.GetContainingSectionIndex(address);
        if (index < 0)
        {
            throw new GraftException("its compiled code lies outside of its sections");
        }

        SectionHeader section = _headers.SectionHeaders[index];
        int offset = section.PointerToRawData + (address - section.VirtualAddress);
        return size >= 0 && offset + (long)size <= _image.Length
            ? offset
            : throw new GraftException("its compiled code lies outside of the file");
    }
}
