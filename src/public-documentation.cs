// Leaves in an XML documentation file only what a user of the assembly can name:
//     dotnet run --file src/public-documentation.cs -- A.dll A.xml
// The compiler writes the comments of internal and private members too, which are more than half of the file.
#:property PublishAot=false

using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Xml.Linq;

(string assembly, string documentation) = (args[0], args[1]);
using PEReader image = new(File.OpenRead(assembly));
MetadataReader metadata = image.GetMetadataReader();
HashSet<string> names = [];
foreach (TypeDefinition type in metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(IsVisible))
{
    string name = NameOf(type);
    names.Add($"T:{name}");
    AddMembers(type, name);
}

XDocument document = XDocument.Load(documentation, LoadOptions.PreserveWhitespace);
XElement[] hidden =
    [.. document.Descendants("member").Where(member => !names.Contains(WithoutParameters(member.Attribute("name")!.Value)))];
foreach (XElement member in hidden)
{
    (member.PreviousNode as XText)?.Remove();
    member.Remove();
}

document.Save(documentation, SaveOptions.DisableFormatting);
return names.Count > 0 ? 0 : throw new InvalidOperationException($"'{assembly}' has no public type.");

// Of methods with one name, all stay if one is visible: their parameters are not compared.
void AddMembers(TypeDefinition type, string name)
{
    HashSet<MethodDefinitionHandle> visible = [];
    foreach (MethodDefinitionHandle handle in type.GetMethods())
    {
        MethodDefinition method = metadata.GetMethodDefinition(handle);
        if ((method.Attributes & MethodAttributes.MemberAccessMask)
            is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem)
        {
            visible.Add(handle);
            names.Add($"M:{name}.{metadata.GetString(method.Name).Replace('.', '#')}");
        }
    }

    foreach (PropertyDefinition property in type.GetProperties().Select(metadata.GetPropertyDefinition))
    {
        PropertyAccessors accessors = property.GetAccessors();
        if (visible.Contains(accessors.Getter) || visible.Contains(accessors.Setter))
        {
            names.Add($"P:{name}.{metadata.GetString(property.Name)}");
        }
    }

    foreach (EventDefinition member in type.GetEvents().Select(metadata.GetEventDefinition))
    {
        if (visible.Contains(member.GetAccessors().Adder))
        {
            names.Add($"E:{name}.{metadata.GetString(member.Name)}");
        }
    }

    foreach (FieldDefinition field in type.GetFields().Select(metadata.GetFieldDefinition))
    {
        if ((field.Attributes & FieldAttributes.FieldAccessMask)
            is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem)
        {
            names.Add($"F:{name}.{metadata.GetString(field.Name)}");
        }
    }
}

bool IsVisible(TypeDefinition type) => (type.Attributes & TypeAttributes.VisibilityMask) switch
{
    TypeAttributes.Public => true,
    TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem =>
        IsVisible(metadata.GetTypeDefinition(type.GetDeclaringType())),
    _ => false,
};

string NameOf(TypeDefinition type)
{
    string name = metadata.GetString(type.Name);
    return type.GetDeclaringType() is { IsNil: false } outer
        ? $"{NameOf(metadata.GetTypeDefinition(outer))}.{name}"
        : type.Namespace.IsNil ? name : $"{metadata.GetString(type.Namespace)}.{name}";
}

static string WithoutParameters(string id)
{
    int end = id.IndexOf('(', StringComparison.Ordinal);
    string name = end < 0 ? id : id[..end];
    int conversion = name.IndexOf('~', StringComparison.Ordinal);
    name = conversion < 0 ? name : name[..conversion];
    int arity = name.LastIndexOf("``", StringComparison.Ordinal);
    return arity < 0 ? name : name[..arity];
}
