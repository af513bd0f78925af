using System.Buffers.Binary;
using System.Reflection.PortableExecutable;

namespace Tarn.Sanitizing.Grafting;

/// <summary>An image of which the last section grows, over whatever lies behind it.</summary>
/// <remarks>
/// The compiler leaves no room for another section's header. What lies behind the last section is the signature of the file, which
/// is void once the file changes.
/// </remarks>
internal sealed class PatchedImage
{
    private const int SectionHeaderSize = 40;
    private const uint Discardable = 0x02000000;
    private const int ChecksumOffset = 64;
    private const int SizeOfImageOffset = 56;

    /// <summary>What the COR20 header has, by offset.</summary>
    private const int MetadataField = 8;
    private const int FlagsField = 16;
    private const int NativeHeaderField = 64;

    /// <summary>In images of Linux and macOS the machine is combined with the system.</summary>
    private static readonly Machine[] s_machines = [Machine.Amd64, Machine.Arm64, Machine.I386, Machine.ArmThumb2];
    private static readonly int[] s_systems = [0, 0x7B79, 0x4644];

    private readonly PEHeaders _headers;
    private readonly byte[] _bytes;
    private readonly int _lastIndex;
    private readonly List<byte[]> _added = [];
    private int _end;

    public PatchedImage(PEHeaders headers, byte[] bytes)
    {
        _headers = headers;
        _bytes = bytes;
        _lastIndex = headers.SectionHeaders.Length - 1;
        if (headers.SectionHeaders.Any(other => other.VirtualAddress > Last.VirtualAddress
            || other.PointerToRawData > Last.PointerToRawData))
        {
            throw new GraftException("its last section is not at its end");
        }

        _end = Math.Max(Last.SizeOfRawData, Last.VirtualSize);
    }

    private SectionHeader Last => _headers.SectionHeaders[_lastIndex];

    private int DirectoriesOffset => _headers.PEHeaderStartOffset + (_headers.PEHeader!.Magic == PEMagic.PE32Plus ? 112 : 96);

    /// <summary>Adds aligned content and returns its address relative to the image's.</summary>
    public int Append(byte[] content)
    {
        int start = (_end + 7) & ~7;
        _added.Add(new byte[start - _end]);
        _added.Add(content);
        _end = start + content.Length;
        return Last.VirtualAddress + start;
    }

    public void SetMetadata(int address, int size)
    {
        WriteInt32(_headers.CorHeaderStartOffset + MetadataField, address);
        WriteInt32(_headers.CorHeaderStartOffset + MetadataField + 4, size);
    }

    /// <summary>Makes the image one without compiled code, for any machine of its kind.</summary>
    public void DropNativeCode()
    {
        CorFlags flags = (_headers.CorHeader!.Flags | CorFlags.ILOnly) & ~CorFlags.ILLibrary;
        WriteInt32(_headers.CorHeaderStartOffset + FlagsField, (int)flags);
        WriteInt32(_headers.CorHeaderStartOffset + NativeHeaderField, 0);
        WriteInt32(_headers.CorHeaderStartOffset + NativeHeaderField + 4, 0);
        int machine = (int)_headers.CoffHeader.Machine;
        Machine plain = s_machines.FirstOrDefault(one => s_systems.Any(system => machine == ((int)one ^ system)));
        BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(_headers.CoffHeaderStartOffset), plain != Machine.Unknown
            ? (ushort)plain
            : throw new GraftException($"its machine is 0x{machine:X4}"));

        // Imports, exports, exception tables and relocations belong to the code. An image without any may not have them.
        foreach (int directory in (int[])[0, 1, 3, 5, 9, 10, 11, 12, 13])
        {
            ClearDirectory(directory);
        }
    }

    /// <summary>Returns the new image.</summary>
    public byte[] Build()
    {
        PEHeader header = _headers.PEHeader!;
        int padded = Align(_end, header.FileAlignment);
        byte[] result = new byte[Last.PointerToRawData + padded];
        int oldEnd = Last.PointerToRawData + Last.SizeOfRawData;

        int section = _headers.PEHeaderStartOffset + _headers.CoffHeader.SizeOfOptionalHeader + (_lastIndex * SectionHeaderSize);
        WriteInt32(section + 8, _end);
        WriteInt32(section + 16, padded);
        WriteInt32(section + 36, (int)((uint)Last.SectionCharacteristics & ~Discardable));
        WriteInt32(
            _headers.PEHeaderStartOffset + SizeOfImageOffset, Align(Last.VirtualAddress + _end, header.SectionAlignment));
        WriteInt32(_headers.PEHeaderStartOffset + ChecksumOffset, 0);
        ClearDirectory(4); // the signature
        _bytes.AsSpan(0, oldEnd).CopyTo(result);
        int position = Last.PointerToRawData + Math.Max(Last.SizeOfRawData, Last.VirtualSize);
        foreach (byte[] content in _added)
        {
            content.CopyTo(result, position);
            position += content.Length;
        }

        return result;
    }

    private void ClearDirectory(int index)
    {
        WriteInt32(DirectoriesOffset + (8 * index), 0);
        WriteInt32(DirectoriesOffset + (8 * index) + 4, 0);
    }

    private void WriteInt32(int offset, int value) => BinaryPrimitives.WriteInt32LittleEndian(_bytes.AsSpan(offset), value);

    private static int Align(int value, int alignment) => (value + alignment - 1) / alignment * alignment;
}
