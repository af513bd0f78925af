using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Tarn.Traces;

/// <summary>Finds the places in a method's instructions that call a method of some name. Not thread-safe.</summary>
internal sealed class CalledMethods(ModuleFiles modules)
{
    private const int RowBits = 0xFF_FFFF;
    private const int TwoBytes = 0xFE;

    private static readonly Dictionary<int, OpCode> s_codes = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (int)(ushort)code.Value);

    /// <summary>Returns the places, in the order of the instructions.</summary>
    /// <param name="module">The path of the assembly.</param>
    /// <param name="methodToken">The calling method in it.</param>
    /// <param name="name">The name of the called method, without its type.</param>
    /// <returns>Null where the instructions are not to be had.</returns>
    internal IReadOnlyList<int>? Find(string module, int methodToken, string name)
    {
        if (module.Length == 0 || (methodToken & RowBits) == 0)
        {
            return null;
        }

        try
        {
            if (modules.Open(module) is not { } file)
            {
                return null;
            }

            MetadataReader metadata = file.GetMetadataReader();
            int address = metadata.GetMethodDefinition(MetadataTokens.MethodDefinitionHandle(methodToken & RowBits)).RelativeVirtualAddress;
            return address == 0 ? null : Find(file.GetMethodBody(address).GetILReader(), metadata, name);
        }
        catch (Exception exception) when (exception is BadImageFormatException or ArgumentOutOfRangeException or InvalidCastException)
        {
            // Another build of the assembly than the process has, or a damaged one.
            return null;
        }
    }

    private static List<int>? Find(BlobReader instructions, MetadataReader metadata, string name)
    {
        List<int> found = [];
        while (instructions.RemainingBytes > 0)
        {
            int at = instructions.Offset;
            int value = instructions.ReadByte();
            value = value == TwoBytes ? (value << 8) | instructions.ReadByte() : value;
            if (!s_codes.TryGetValue(value, out OpCode code))
            {
                return null;
            }

            if (code.OperandType == OperandType.InlineMethod)
            {
                if (metadata.StringComparer.Equals(NameOf(metadata, MetadataTokens.EntityHandle(instructions.ReadInt32())), name))
                {
                    found.Add(at);
                }
            }
            else
            {
                instructions.Offset += SizeOf(code.OperandType, instructions);
            }
        }

        return found;
    }

    private static StringHandle NameOf(MetadataReader metadata, EntityHandle method) => method.Kind switch
    {
        HandleKind.MethodDefinition => metadata.GetMethodDefinition((MethodDefinitionHandle)method).Name,
        HandleKind.MemberReference => metadata.GetMemberReference((MemberReferenceHandle)method).Name,
        HandleKind.MethodSpecification =>
            NameOf(metadata, metadata.GetMethodSpecification((MethodSpecificationHandle)method).Method),
        _ => default,
    };

    private static int SizeOf(OperandType operand, BlobReader at) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => sizeof(short),
        OperandType.InlineI8 or OperandType.InlineR => sizeof(long),
        OperandType.InlineSwitch => sizeof(int) * (1 + at.ReadInt32()),
        _ => sizeof(int),
    };
}
