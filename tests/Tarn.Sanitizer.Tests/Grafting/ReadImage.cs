using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Tarn.Sanitizing.Tests.Grafting;

/// <summary>An assembly, read back: its tables and heaps as bytes.</summary>
internal sealed class ReadImage : IDisposable
{
    private readonly PEReader _reader;
    private readonly byte[] _metadata;

    public ReadImage(byte[] bytes)
    {
        Bytes = bytes;
        _reader = new PEReader(new MemoryStream(bytes));
        Metadata = _reader.GetMetadataReader();
        _metadata = [.. _reader.GetMetadata().GetContent()];
    }

    public byte[] Bytes { get; }

    public PEHeaders Headers => _reader.PEHeaders;

    public MetadataReader Metadata { get; }

    public byte[] Row(TableIndex table, int row)
    {
        int size = Metadata.GetTableRowSize(table);
        return _metadata.AsSpan(Metadata.GetTableMetadataOffset(table) + ((row - 1) * size), size).ToArray();
    }

    public byte[] Heap(HeapIndex heap) =>
        _metadata.AsSpan(Metadata.GetHeapMetadataOffset(heap), Metadata.GetHeapSize(heap)).ToArray();

    public MethodBodyBlock Body(MethodDefinitionHandle method) =>
        _reader.GetMethodBody(Metadata.GetMethodDefinition(method).RelativeVirtualAddress);

    /// <summary>Where the image has this address in the file.</summary>
    public int OffsetOf(int address)
    {
        SectionHeader section = Headers.SectionHeaders[Headers.GetContainingSectionIndex(address)];
        return address - section.VirtualAddress + section.PointerToRawData;
    }

    public void Dispose() => _reader.Dispose();
}
